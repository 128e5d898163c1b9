#if Postgres
    extension PostgresFailure {
        /// The failure of a run that its caller interrupted.
        static var interrupted: PostgresFailure {
            PostgresFailure(
                .interrupted, message: "The statements were interrupted. Run them again if they are still wanted.")
        }

        /// The failure of a run whose deadline passed.
        static var deadlinePassed: PostgresFailure {
            PostgresFailure(
                .deadlinePassed,
                message: "The server did not answer in time. Check its load, and locks that others hold.")
        }
    }
#endif
