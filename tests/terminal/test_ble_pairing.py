"""Bluetooth LE: encrypted by keys of LE Secure Connections, where links are paired."""

from bumble.device import Connection
from bumble.pairing import PairingConfig, PairingDelegate

from terminal.virtual_ble import NusEnd
from tests.terminal.bluetooth import Bench, bench


class Legacy(NusEnd):
    """A terminal whose firmware knows legacy pairing only."""

    def pairing_config(self) -> PairingConfig:
        return PairingConfig(sc=False, mitm=False)


class Unwilling(NusEnd):
    """A terminal that does not pair at all."""

    def pairing_config(self) -> PairingConfig:
        class No(PairingDelegate):
            async def accept(self) -> bool:
                return False

        return PairingConfig(mitm=False, delegate=No())


def connection_of(made: Bench) -> Connection:
    (connection,) = made.adapter.connections.values()
    return connection


async def test_a_paired_terminal_is_connected_encrypted() -> None:
    async with bench(paired=True) as made, made.running() as line:
        await made.user.until(lambda: made.user.opened)
        assert connection_of(made).encryption
        assert connection_of(made).sc
        line.write(b"down")
        await made.box.until_received(4)
        made.end.write(b"up")
        await made.user.until(lambda: made.user.data == b"up")


async def test_the_keys_are_kept_so_that_it_is_paired_once() -> None:
    async with bench(paired=True) as made, made.running():
        await made.user.until(lambda: made.user.opened)
        made.lose_radio()
        await made.user.until(lambda: made.user.opened == 2)
        assert connection_of(made).encryption
        assert made.end.pairings == 1


async def test_an_open_terminal_is_not_paired() -> None:
    async with bench() as made, made.running():
        await made.user.until(lambda: made.user.opened)
        assert not connection_of(made).encryption
        assert made.end.pairings == 0


async def test_a_terminal_of_legacy_pairing_is_refused() -> None:
    async with bench(paired=True, kind=Legacy) as made, made.running():
        await made.user.until(lambda: made.user.refused)
        assert "does not pair: it has no Secure Connections" in made.user.refused[0]
        assert await made.adapter.keys.get(made.address) is None
        assert made.user.opened == 0
        assert made.box.opened == 0


async def test_a_terminal_that_does_not_pair_is_refused() -> None:
    async with bench(paired=True, kind=Unwilling) as made, made.running():
        await made.user.until(lambda: made.user.refused)
        assert "the terminal does not pair" in made.user.refused[0]
        assert made.user.opened == 0
        assert made.box.opened == 0


async def test_a_daemon_that_does_not_pair_is_not_heard() -> None:
    async with bench(paired=True) as made:
        made.paired = False
        async with made.running():
            await made.user.until(lambda: made.user.refused)
            assert "the terminal takes paired daemons only" in made.user.refused[0]
            assert made.box.opened == 0


async def test_a_terminal_that_has_lost_its_keys_is_paired_anew() -> None:
    async with bench(paired=True) as made, made.running():
        await made.user.until(lambda: made.user.opened)
        await made.end.keys.delete_all()
        made.lose_radio()
        await made.user.until(lambda: made.user.opened == 2)
        assert connection_of(made).encryption
        assert made.end.pairings == 2


async def test_fault_3_where_the_services_have_moved_new_keys_are_made_too() -> None:
    async with bench(paired=True) as made:
        await made.install_firmware(services=2)
        async with made.running() as line:
            await made.user.until(lambda: made.user.opened)
            await made.install_firmware(services=0)
            await made.user.until(lambda: made.user.opened == 2)
            assert connection_of(made).encryption
            assert made.end.pairings == 1, (
                "what is forgotten is forgotten with its keys"
            )
            line.write(b"down")
            await made.box.until_received(4)
