"""The character dice: the hub on its serial port."""
