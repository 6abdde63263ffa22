"""The chip's `espnow`, faked: packets in, packets out, and the refusal of unknown peers."""

SENT, COMING = [], []


class ESPNow:
    def __init__(self):
        self._peers = []

    def active(self, on):
        pass

    def add_peer(self, mac):
        if mac in self._peers:
            raise OSError(-12395)
        self._peers.append(mac)

    def send(self, mac, line, _sync):
        if mac not in self._peers:
            raise OSError(-12393)
        SENT.append((mac, line))

    def recv(self, _timeout):
        return COMING.pop(0) if COMING else (None, None)
