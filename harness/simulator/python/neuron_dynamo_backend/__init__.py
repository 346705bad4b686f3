class NEFFCompilationError(RuntimeError):
    pass


class NEFFExecutionError(RuntimeError):
    pass
