// An application imports DataMonk alone: objects, values and errors are the engine's.
@_exported public import DataMonkCore
