"""How full a lithium cell is, from its voltage."""

CURVE = (  # millivolts at rest, per cent left
    (4180, 100),
    (4060, 90),
    (3920, 70),
    (3800, 45),
    (3740, 25),
    (3680, 10),
    (3500, 3),
    (3300, 0),
)


def per_cent(millivolts: int) -> int:
    """0 to 100, along straight lines between the points of the curve."""
    above, full = CURVE[0]
    if millivolts >= above:
        return full
    for below, less in CURVE[1:]:
        if millivolts >= below:
            return less + (full - less) * (millivolts - below) // (above - below)
        above, full = below, less
    return 0
