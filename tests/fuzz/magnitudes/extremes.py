"""Numbers that break programs, drawn from a seed: the ends of every type, what lies beside them, ordinary ones between."""
import math
import random
import struct

REALS = (
    0.0, -0.0, 1.0, 0.5, 3.7, 1.7976931348623157e308, 8.98846567431158e307, 2.2250738585072014e-308, 5e-324, 1e-310,
    3.4028234663852886e38, 3.4028235677973366e38, 1.401298464324817e-45, 1e30, 1e-30, 1e154, 1e155, 1e-154, 1e-162,
    255.0, 256.0, 2.0**31, 2.0**32, 2.0**53, 2.0**63, math.inf, math.nan,
)
WHOLES = (
    0, 1, 2, 3, 7, 255, 256, 2**16, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**62, 2**63 - 1, 2**63,
    2**64 - 1, 2**64, 10**30,
)
WORDS = ("", "0", "-0", "+1", "1e400", "1e-400", "inf", "-inf", "nan", "0x10", "1,2", " 1", "½", "-", "--", "1e", "1.5.2", "x")


class Draw(random.Random):
    def once_in(self, times):
        return self.randrange(times) == 0

    def real(self):
        kind = self.randrange(6)
        value = (
            self.uniform(-10, 10) if kind == 0
            else struct.unpack("d", self.randbytes(8))[0] if kind == 1
            else math.ldexp(self.random(), self.randrange(-1074, 1024)) if kind == 2
            else self.choice(REALS)
        )
        return -value if self.once_in(2) else value

    def whole(self):
        value = self.getrandbits(64) >> self.randrange(64) if self.once_in(4) else self.choice(WHOLES)
        return -value - self.randrange(2) if self.once_in(3) else value

    def small(self, most):
        return self.randrange(most + 1)

    def text(self):
        """How a number might be typed."""
        kind = self.randrange(5)
        return str(
            self.choice(WORDS) if kind == 0 else self.whole() if kind < 3 else self.real() if kind == 3 else self.small(99)
        )
