#pragma once
#include <sqlite3.h>
#include <malloc.h>
