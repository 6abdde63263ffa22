"""Care for the box itself: is it well, how is it wired, how is its memory kept safe."""
