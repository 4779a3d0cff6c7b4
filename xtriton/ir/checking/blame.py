"""A failed check that another op is to blame for."""

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException


class OtherOpIsWrong(VerifyException):
    """What an op demands of the ops inside it is not so: `op` is the one to point at."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op
