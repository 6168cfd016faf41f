"""Who acts in law, health and school prose, and who stands against whom."""

from functools import lru_cache

from footnotary.verify.wording.synonyms import concept

# Each line: parties of one relation. A claim that names one where the source names another has swapped them.
_RELATIONS = """
employer employee contractor
landlord tenant
buyer seller dealer
lender borrower
plaintiff defendant
complainant accused prosecutor
offender victim
covered-entity business-associate
teacher pupil
parent child
guardian ward
master servant apprentice
principal agent
creditor debtor
occupier worker visitor
donor donee
patient doctor provider
trustee beneficiary
insurer claimant
testator witness
bank customer
manufacturer consumer dealer
licensor licensee
data-fiduciary data-principal
appellant respondent
applicant authority
central-government state-government
public-servant private-citizen
mortgagor mortgagee
shipper carrier
husband wife
assignor assignee
court police
judge jury
supervisor worker
school parent
company shareholder
institute student
council railway
controller processor data-subject
bailor bailee
drawer payee drawee
guarantor creditor principal-debtor
consignor consignee
payer payee
director shareholder
franchisor franchisee
licensor licensee
lessor lessee
settlor beneficiary
winner loser
"""
_OTHERS = """
government court board commission tribunal secretary inspector officer police authority hospital company
school head-teacher person owner minister registrar arbitrator magistrate president governor council party
partner member agency entity relative state individual judge manager committee doctor nurse spouse notary
auditor heir depositor driver high-court supreme-court district-commission state-commission appellate-tribunal
police-officer health-plan parliament informant executor executant administrator surety collector commissioner
chairperson speaker headmaster passenger adjudicator liquidator promoter endorser importer exporter broker
supervisory-authority food-inspector subscriber objector leader sponsor maker
"""

# Parties too vague to be told apart by name.
VAGUE = frozenset("person member parti state law authority".split())


@lru_cache(maxsize=1)
def _relations() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(concept(name) for name in line.split()) for line in _RELATIONS.strip().splitlines())


@lru_cache(maxsize=1)
def parties() -> frozenset[str]:
    """Every concept that names somebody who can act or be acted upon."""
    return frozenset(concept(name) for name in _OTHERS.split()).union(*_relations())


@lru_cache(maxsize=1 << 10)
def counterparts(party: str) -> frozenset[str]:
    """Those who stand in one relation with `party`: the employee for the employer."""
    return frozenset(other for relation in _relations() if party in relation for other in relation if other != party)
