"""Each check fails where it should: faulty terminals, and the checks that tell."""

import contextlib
import logging
from pathlib import Path

import pytest

from hil_tests.checks import Check
from hil_tests.faulty import FAULTS
from hil_tests.hands import CannotCauseError
from hil_tests.simulated import Box
from hil_tests.suite import Options, Suite
from hil_tests.watch import Deviation
from protocol.messages import Profile
from tests.hil.checks import CHECKS
from tests.hil.virtual import in_virtual_time, run_check
from tests.long import long

FOUR = Box()
ONE = Box(Profile.CALLS_AND_CARDS)
CALLS = Box(Profile.CALLS)
PAIRED = Box(key=bytes(range(16)))

CAUGHT: dict[str, tuple[str, ...]] = {
    "crc-not-checked": ("a_wrong_crc_is_noise",),
    "cobs-not-checked": ("what_is_no_cobs_is_noise",),
    "long-block-kept": ("a_block_that_is_too_long_is_dropped",),
    "small-buffer": ("the_longest_body_is_read", "a_message_in_parts_is_taken"),
    "long-block-cut": ("a_long_block_is_skipped_to_its_end",),
    "noise-takes-link-down": (
        *("a_wrong_crc_is_noise", "what_is_no_cobs_is_noise"),
        *("a_block_too_short_is_noise", "noise_costs_nothing"),
    ),
    "empty-block-takes-link-down": ("nothing_between_delimiters_means_nothing",),
    "one-frame-for-each-read": (
        *("frames_in_one_write_are_all_read", "half_a_frame_costs_itself_alone"),
    ),
    "one-read-for-each-frame": ("a_frame_may_come_in_pieces",),
    "crc-the-wrong-way-round": ("hello_comes_in_a_good_frame",),
    "parts-not-read": ("a_message_in_parts_is_taken", "the_longest_message_is_taken"),
    "parts-in-any-order": (
        "a_part_that_is_missing_costs_the_message",
        "parts_of_different_messages_are_not_mixed",
    ),
    "part-twice-drops-message": ("a_part_that_comes_twice_is_taken_once",),
    "parts-outlive-opening": ("an_opening_drops_the_parts_before_it",),
    "message-drops-parts": ("other_messages_may_stand_between_parts",),
    "part-of-part-read": ("a_part_of_a_part_is_rejected",),
    "bad-part-drops-message": ("a_part_that_is_rejected_is_as_if_it_had_not_come",),
    "long-event-cut": ("a_long_event_comes_in_parts",),
    "unknown-takes-link-down": ("unknown_tags_are_ignored",),
    "wrong-side-takes-link-down": ("messages_from_the_wrong_side_are_ignored",),
    "types-converted": ("types_are_not_converted",),
    "end-of-body-not-checked": ("a_body_that_is_no_whole_array_is_rejected",),
    "fields-assumed": ("too_few_fields_are_rejected",),
    "utf-8-not-checked": ("text_that_is_no_utf_8_is_rejected",),
    "depth-not-checked": ("depth_has_a_limit",),
    "further-fields-rejected": ("further_fields_are_skipped",),
    "long-forms-rejected": ("long_forms_are_read",),
    "other-values-rejected": ("any_value_is_skipped",),
    "defaults-not-known": ("defaults_may_be_left_out", "welcome_needs_no_fields"),
    "shown-malformed": ("what_the_terminal_says_is_well_formed",),
    "short-messages": ("the_longest_message_is_taken",),
    "short-lists": ("the_longest_lists_are_taken",),
    "signed-numbers": ("the_greatest_numbers_are_taken",),
    "long-line-ignored": ("what_is_too_long_is_cut",),
    "shown-once": ("every_display_is_answered",),
    "latest-counts": ("the_greatest_revision_counts", "a_lower_display_is_not_seen"),
    "epoch-ignored": ("the_epoch_comes_first",),
    "one-number-for-all-seats": ("seats_have_displays_of_their_own",),
    "other-seats-answered": ("a_display_for_another_seat_is_ignored",),
    "numbers-outlive-opening": ("welcome_forgets_the_numbers",),
    "blank-at-opening": ("what_is_shown_stays_through_an_opening",),
    "shows-nothing": ("a_display_is_seen",),
    "hello-late": ("ask_is_answered_at_once",),
    "nonce-reused": (
        *("a_nonce_is_fresh_for_every_opening", "a_paired_terminal_has_a_nonce"),
        *("a_restart_is_told_by_hello", "after_6_s_of_silence_the_link_is_down"),
    ),
    "nonce-changing": ("a_nonce_is_fresh_for_every_opening",),
    "hello-once": ("hello_is_repeated_until_it_is_answered",),
    "hello-without-end": ("hello_ends_with_welcome",),
    "any-version-welcome": ("welcome_of_another_version_is_ignored",),
    "welcome-while-up": ("welcome_on_a_link_that_is_up_is_ignored",),
    "welcome-unasked": ("welcome_before_ask_is_ignored",),
    "asked-while-up": ("a_link_that_is_up_can_be_asked_anew",),
    "refused-ignored": ("a_refused_terminal_answers_when_asked",),
    "refused-impatient": ("a_refused_terminal_says_hello_after_30_s",),
    "heard-before-up": ("nothing_but_the_opening_is_heard_before_it",),
    "seat-twice": ("hello_says_what_a_terminal_is",),
    "other-profile": ("the_profile_is_the_one_that_was_expected",),
    "silent-start": ("a_restart_is_told_by_hello",),
    "no-ping": ("silence_is_answered_by_ping", "vitals_come_every_10_s"),
    "no-vitals": ("vitals_come_every_10_s",),
    "vitals-on-silence-alone": ("vitals_come_every_10_s",),
    "uptime-stopped": ("vitals_come_every_10_s",),
    "noise-heard": ("noise_is_no_sign_of_life",),
    "rejected-heard": ("rejected_messages_are_no_sign_of_life",),
    "unknown-not-heard": ("any_message_is_a_sign_of_life",),
    "never-down": ("after_6_s_of_silence_the_link_is_down",),
    "no-pong": ("ping_is_answered_by_pong",),
    "pong-without-boot": ("ping_is_answered_by_pong",),
    "no-proof": ("hello_proves_the_key",),
    "proof-always": ("an_open_link_has_no_proof",),
    "any-proof-taken": ("welcome_without_the_proof_is_ignored",),
    "numbers-with-gaps": ("events_are_numbered_without_gaps",),
    "revision-left-out": ("an_event_names_the_display_that_it_answers",),
    "play-assumed": ("a_director_call_before_any_display_names_none",),
    "age-of-zero": ("the_age_of_an_event_grows",),
    "held-empty": (
        "held_names_what_is_kept",
        "an_ack_of_minus_1_acknowledges_nothing_of_its_boot",
    ),
    "held-from-zero": ("an_ack_is_cumulative",),
    "held-cut": ("held_names_8_boots_and_no_more",),
    "events-late": ("pong_does_not_overtake_an_event",),
    "forgets-at-restart": ("an_event_outlives_a_restart", "a_restart_counts_a_boot"),
    "drops-oldest": ("a_full_store_refuses_keys_and_drops_nothing",),
    "steady-repeats": ("waits_between_repeats_grow",),
    "ack-keeps-wait": ("an_ack_starts_the_wait_anew",),
    "newest-first": ("events_come_in_order_as_soon_as_the_link_is_up",),
    "no-window": ("at_most_16_events_are_in_flight",),
    "ack-ignored": ("an_ack_is_cumulative",),
    "ack-of-nothing-forgets-all": (
        "an_ack_of_minus_1_acknowledges_nothing_of_its_boot",
    ),
    "repeated-ack-ignored": ("a_repeated_ack_brings_what_follows_it",),
    "every-ack-repeats": ("many_equal_acks_bring_one_repeat",),
    "first-ack-repeats": ("a_new_link_begins_after_the_last_ack",),
    "new-link-waits": ("events_come_in_order_as_soon_as_the_link_is_up",),
    "no-lost": ("what_is_no_longer_there_is_lost",),
    "lost-once": ("lost_is_repeated_until_its_ack",),
    "any-ack-taken": ("an_ack_of_what_was_never_sent_is_ignored",),
    "next-left-out": ("pong_does_not_overtake_an_event",),
    "locks-ignored": (
        *("a_locked_key_sends_nothing", "a_kind_locks_all_its_keys"),
        "the_lock_of_a_call_locks_its_call_alone",
        "the_lock_of_a_card_locks_its_card_alone",
    ),
    "locks-stay": ("a_lock_ends_with_its_display",),
    "locks-too-much": (
        "the_lock_of_a_call_locks_its_call_alone",
        "the_lock_of_a_card_locks_its_card_alone",
    ),
    "alert-lock-ignored": ("the_lock_of_alert_locks_alerted_calls",),
    "choices-locked": ("a_choice_sends_its_kind_and_data",),
    "keys-on-turn-alone": ("every_key_sends_whether_or_not_it_is_the_turn",),
    "keys-while-up-alone": ("an_event_pressed_while_the_link_is_down_is_kept",),
    "equal-keys-are-one": ("equal_keys_are_events_of_their_own",),
    "director-needs-display": ("a_director_call_before_any_display_names_none",),
    "cards-at-calls": ("a_terminal_for_calls_sends_no_cards",),
    "kind-left-out": ("kind",),
    "data-left-out": ("call",),
    "hand-of-the-seat": (
        "a_choice_that_moves_a_card_names_the_hand",
        "a_card_of_dummy_names_the_hand_of_dummy",
    ),
    "one-seat": ("every_seat_is_named_by_its_keys",),
    "unsent-not-told": (
        "the_user_reads_how_many_events_wait",
        "the_user_does_not_read_of_events_that_have_gone",
    ),
    "unsent-told-for-ever": ("the_user_does_not_read_of_events_that_have_gone",),
    "texts-cut": ("an_explanation_of_120_characters_is_taken",),
}
"""Fault, and the checks that must fail with it; of a check with cases all of them."""

SLOW_CARRIER = 0.12
"""Seconds on the way, about what a poor Bluetooth link takes."""

ON_TCP = ("old-connection-kept", "a_new_connection_takes_the_place_of_the_old")
"""The one fault, and its check, that needs a real connection."""

NEEDS: dict[str, Box] = {
    "a_display_for_another_seat_is_ignored": ONE,
    "a_terminal_for_calls_sends_no_cards": CALLS,
    "a_paired_terminal_has_a_nonce": PAIRED,
    "hello_proves_the_key": PAIRED,
    "welcome_without_the_proof_is_ignored": PAIRED,
}
"""What the checks need that are skipped at four seats on an open link."""


OPENS = {"link_up", "up", "ready"}
"""What opens a link on behalf of a check; that it fails says nothing of the check."""

OPENS_NONE = "no-pong"
"""The one fault with which no link can be opened: it fails every check alike."""


def base_of(check: Check) -> str:
    return check.name.partition("[")[0]


def cases_of(name: str) -> list[Check]:
    return [check for check in CHECKS.values() if base_of(check) == name]


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    """The terminals log what they reject, which is what the checks send."""
    caplog.set_level(logging.CRITICAL)


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_fault_is_caught_by_the_checks_of_its_clause(
    fault: str, tmp_path: Path
) -> None:
    for name in CAUGHT[fault]:
        for number, check in enumerate(cases_of(name)):
            box = NEEDS.get(name, FOUR)
            folder = tmp_path / f"{name} {number}"
            with pytest.raises(Deviation) as caught:
                in_virtual_time(run_check(check, box, folder, FAULTS[fault]))
            assert caught.value.expected
            assert caught.value.seen
            if fault != OPENS_NONE:
                assert not OPENS.intersection(entry.name for entry in caught.traceback)


@pytest.mark.parametrize("box", [FOUR, ONE, CALLS, PAIRED], ids=str)
def test_a_sound_terminal_passes_every_check(box: Box, tmp_path: Path) -> None:
    for number, check in enumerate(CHECKS.values()):
        try:
            in_virtual_time(run_check(check, box, tmp_path / str(number)))
        except CannotCauseError:
            assert NEEDS.get(base_of(check)) is not box


@pytest.mark.parametrize(
    ("box", "seconds"),
    [
        pytest.param(FOUR, 0.5, id="four-0.5"),
        pytest.param(FOUR, 1.0, id="four-1.0", marks=long),
        pytest.param(FOUR, 40.0, id="four-40.0"),
        pytest.param(CALLS, 0.5, id="calls-0.5", marks=long),
        pytest.param(CALLS, 1.0, id="calls-1.0"),
        pytest.param(CALLS, 40.0, id="calls-40.0", marks=long),
    ],
)
def test_at_a_sound_terminal_a_slow_person_makes_no_difference(
    box: Box, seconds: float, tmp_path: Path
) -> None:
    for number, check in enumerate(CHECKS.values()):
        with contextlib.suppress(CannotCauseError):
            folder = tmp_path / str(number)
            in_virtual_time(run_check(check, box, folder, slow=seconds))


@pytest.mark.parametrize("box", [FOUR, PAIRED], ids=["four", "paired"])
def test_at_a_sound_terminal_a_slow_carrier_makes_no_difference(
    box: Box, tmp_path: Path
) -> None:
    for number, check in enumerate(CHECKS.values()):
        with contextlib.suppress(CannotCauseError):
            folder = tmp_path / str(number)
            in_virtual_time(run_check(check, box, folder, latency=SLOW_CARRIER))


def test_a_tcp_terminal_that_keeps_its_first_connection_is_caught() -> None:
    fault, name = ON_TCP
    suite = Suite(Options(terminal=f"sim://tcp?fault={fault}"))
    suite.start([])
    try:
        with pytest.raises(Deviation):
            suite.run(CHECKS[name])
    finally:
        suite.stop()


def test_no_check_is_without_a_fault_and_no_fault_without_a_check() -> None:
    told = {fault: names for fault, names in CAUGHT.items() if fault != OPENS_NONE}
    caught = {name for names in told.values() for name in names} | {ON_TCP[1]}
    assert {base_of(check) for check in CHECKS.values()} == caught
    assert set(FAULTS) == {*CAUGHT, ON_TCP[0]}
