import pytest

from footnotary import verify_claim
from footnotary.domain.verdict import Reason
from footnotary.verify.wording.factuality import hedged_in_source

WITNESS = 'The porter was asked. The witness said: "The door was open. The yard was empty." The case was closed.'
MADE_UP = [
    ("A member was expelled.", "If a member were expelled, the board would refund the fee."),
    ("The village was flooded.", "Had the dam held, the village would have been flooded."),
    ("The dam broke.", "Had the dam broken, the town would have been flooded."),
    ("The bridge fell.", "Had the bridge fallen, the road would have been closed."),
    ("The shop sells 40 lamps a day.", "Suppose the shop sells 40 lamps a day."),
    ("The factory is safe.", "The inspector decides whether the factory is safe."),
    ("The virus does not survive in water.", "It is not known whether the virus survives in water."),
    ("The temple is 900 years old.", "The temple is believed to be 900 years old."),
    ("The paint is safe.", "The company claims that its paint is safe."),
    ("The company's paint is safe.", "The company claims that its paint is safe."),
    ("The plan failed.", "Critics say the plan failed."),
    ("Bats are blind.", "It is a myth that bats are blind."),
    ("The moon makes its own light.", 'A common myth: "The moon makes its own light."'),
    ("The council will build a school.", "The council plans to build a school."),
    ("The law reduced traffic.", "The law was meant to reduce traffic."),
    ("The bridge opened in 2030.", "The bridge will open in 2030."),
    ("Mr Rao is the director of the mill.", "Mr Rao was the director of the mill until 2019."),
    ("The dam is unsafe.", "The dam is allegedly unsafe."),
    ("Members can borrow books.", "Can members borrow books? Ask the librarian."),
    ("The yard was empty.", WITNESS),
    ('The yard was empty."', WITNESS),
    ("The door was open.", WITNESS),
    ("The plan is good.", '"The plan is good," the minister said.'),
    ("आँगन खाली था।", 'गवाह ने कहा, "दरवाज़ा खुला था। आँगन खाली था।"'),
]


@pytest.mark.parametrize(("claim", "source"), MADE_UP)
def test_what_a_source_only_asks_supposes_or_reports_is_not_stated(claim: str, source: str):
    class Sure:
        name, fusion_weights, languages = "sure", None, ("en",)

        def support(self, pairs):
            pytest.fail("it was asked")

    for judge in ("lexical", Sure()):
        found = verify_claim(claim, [source], verifier=judge)
        assert not found.supported
        assert Reason.MODALITY_MISMATCH in found.reasons


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The board would refund the fee if a member were expelled.", MADE_UP[0][1]),
        ("It is believed that the temple is 900 years old.", "The temple is believed to be 900 years old."),
        ("The temple may be 900 years old.", "The temple is believed to be 900 years old."),
        ("According to the company, its paint is safe.", "The company claims that its paint is safe."),
        ("The witness said that the door was open.", WITNESS),
        ("The case was closed.", WITNESS),
        ("Members can borrow books.", "Can members borrow books? Yes, up to five at a time."),
        ("Members can borrow books.", "Can members borrow books? They can, up to five."),
        ("The park is open on Sunday.", "Is the park open on Sunday? The park is open on Sunday from nine."),
        ("The tenant pays rent.", "If the tenant pays rent late, a fee is due. The tenant pays rent monthly."),
        ("A lease needs writing.", 'The Court said: "A lease is a transfer. A lease needs writing."'),
        ("A lease must be in writing.", "Section 4 says that a lease must be in writing."),
        ("They are a hardy breed.", "If you want a hardy breed, they are the ones to look at."),
        ("The council intends to build a school.", "The council plans to build a school."),
        ("The bridge opens in 2030.", "The bridge will open in 2030."),
        ("The bridge will be opened in 2030.", "The bridge will be opened in 2030 by the mayor."),
        ("Mr Rao was the director of the mill.", "Mr Rao was the director of the mill until 2019."),
        ("The clerk is at the mill.", "The clerk is at the mill, where he was a guard until 2019."),
        ("The valve opens at 5 bar.", "The valve is designed to open at 5 bar."),
        ("The goods are stolen.", "The goods are stolen, and the seller believes that they are his."),
        ("The Board may grant leave.", "The Board, which believes that rest helps, may grant leave."),
    ],
)
def test_what_it_states_itself_or_the_claim_leaves_open_too_is_no_fault(claim: str, source: str):
    assert hedged_in_source(claim, source) is None
    assert Reason.MODALITY_MISMATCH not in verify_claim(claim, [source], verifier="lexical").reasons


def test_a_long_passage_is_read_once():
    assert hedged_in_source("The paint is safe.", 'He said: "' * 20_000 + "Is the paint safe? " * 20_000) is not None
