"""The wording by which lexical mode classifies what a question asks for, and finds passages that state it.

Where a reader decides, the kind of a question is only shown. A profile may replace any of these lists: `[intents]`.
"""

from pydantic import BaseModel, ConfigDict, Field


def _phrases(listed: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for phrase in listed.split(";"))


_ASKS_DEFINITION = _phrases(
    "define; defines; definition of; definition; defined; meaning of; what is meant by; what do you mean by; "
    "what does it mean; what do; what does; mean by; explain the term; what is the term; the term; "
    "what constitutes; constitute the offence; what amounts to; किसे कहते हैं; किसे कहा जाता है; किसको कहते हैं; "
    "कहलाता है; कहलाती है; परिभाषा; परिभाषित; का अर्थ; का क्या अर्थ; क्या अर्थ; का मतलब; क्या मतलब; अभिप्रेत; "
    "से क्या अभिप्राय; क्या अभिप्राय; से अभिप्राय; से क्या तात्पर्य; क्या तात्पर्य; से तात्पर्य; क्या आशय; "
    "से आशय; से आप क्या समझते; से क्या समझते"
)
_ASKS_WHAT = _phrases(
    "what is; what's; who is; what is considered; who is considered; क्या है; क्या हैं; क्या होता है; "
    "क्या होती है; क्या होते हैं; कौन है; कौन हैं; कौन होता है; कौन होते हैं"
)
_ASKS_PUNISHMENT = _phrases(
    "punishment; punishments; punished; punishable; punish; penalty; penalties; penalised; penalized; "
    "sentence for; sentenced; fine for; what fine; which fine; fine be imposed; jail term; prison term; "
    "go to jail; go to prison; imprisonment; imprisoned; jailed; how much fine; दंड; दण्ड; दंडित; दण्डित; "
    "दंडनीय; सज़ा; सजा; जुर्माना; जुर्माने; शास्ति; कारावास"
)
_ASKS_PROCEDURE = _phrases(
    "how to; how do; how does; how can; how should; how must; how would; what are the steps; what steps; "
    "the steps; steps to; steps for; steps in; steps of; procedure; the process; process for; process of; कैसे; "
    "किस प्रकार; प्रक्रिया; चरण"
)
_ASKS_SCOPE = _phrases(
    "extent; applicability; applicable; applies to; apply to; applies; apply; scope; who is covered; "
    "what is covered; covered by; extend to; extends to; jurisdiction; लागू; विस्तार; दायरा"
)
_ASKS_EXAMPLE = _phrases("example; examples; illustration; illustrations; illustrate; उदाहरण; दृष्टांत; दृष्टान्त")
_ASKS_PROBLEM = _phrases(
    "solve; find the; calculate; compute; evaluate; prove that; show that; ज्ञात कीजिए; ज्ञात करो; हल कीजिए; "
    "सिद्ध कीजिए; गणना"
)
_DEFINES = _phrases(
    "means; mean; meant; is defined; are defined; defined as; denotes; denote; refers to; refer to; includes; "
    "include; signifies; has the meaning; have the meaning; is a; is an; is the; is any; is every; are the; "
    "are a; are any; is one; is that; is when; is where; consists of; is known as; is called; are called; "
    "कहते हैं; कहलाता है; कहलाती है; कहलाते हैं; कहा जाता है; अभिप्रेत है; से तात्पर्य; का अर्थ; वह है"
)
_NAMES = _phrases(
    "is said to; are said to; said to be; said to have; be said to; is called; are called; called; known as; "
    "definition of; meaning of; defines; define; defining; the term; the word; the expression; commits; "
    "guilty of; amounts to; परिभाषा; अर्थात"
)
_PUNISHES = _phrases(
    "punished; punishable; punishment; imprisonment; imprisoned; penalty; penalties; fine; fines; fined; "
    "sentenced; death; forfeiture; forfeit; jail; prison; rigorous; दंड; दण्ड; दंडित; दण्डित; दंडनीय; दण्डनीय; "
    "सज़ा; सजा; जुर्माना; जुर्माने; कारावास; शास्ति"
)
_PENALTIES = _phrases(
    "imprisonment; imprisoned; fine; fined; death; forfeiture; jail; prison; penalty of; कारावास; कैद; जुर्माना; "
    "जुर्माने; शास्ति; मृत्युदंड; मृत्युदण्ड"
)
_PROCEEDS = _phrases(
    "shall; must; may; apply; application; procedure; process; step; steps; first; then; next; after; within; "
    "notice; file; submit; by; to find; manner; in writing; method; formula; use; चरण; पहले; फिर; प्रक्रिया; "
    "आवेदन; के लिए; द्वारा; सूत्र; करें; कीजिए"
)
_DELIMITS = _phrases(
    "extends to; extend to; extends; applies to; apply to; applies; apply; applicable; application; "
    "applicability; extent; scope; whole of; throughout; limits; in respect of; in relation to; covered; covers; "
    "territory; लागू; विस्तार; संपूर्ण; सम्पूर्ण"
)
_ILLUSTRATES = _phrases(
    "example; examples; illustration; illustrations; for instance; such as; suppose; consider; let; solution; =; "
    "उदाहरण; दृष्टांत; दृष्टान्त; हल; मान लीजिए; जैसे"
)


class Intents(BaseModel):
    """Phrases that show what a question asks for, and phrases that evidence of that type contains. Whole words.

    They decide in lexical mode; with a reader they only label the question.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    asks_definition: tuple[str, ...] = Field(
        default=_ASKS_DEFINITION, description="wording that always asks for a definition"
    )
    asks_what: tuple[str, ...] = Field(
        default=_ASKS_WHAT, description="wording that asks for a definition when only a term follows or precedes"
    )
    asks_punishment: tuple[str, ...] = Field(default=_ASKS_PUNISHMENT, description="wording that asks for a penalty")
    asks_procedure: tuple[str, ...] = Field(default=_ASKS_PROCEDURE, description="wording that asks for a procedure")
    asks_scope: tuple[str, ...] = Field(default=_ASKS_SCOPE, description="wording that asks for scope or extent")
    asks_example: tuple[str, ...] = Field(default=_ASKS_EXAMPLE, description="wording that asks for an example")
    asks_problem: tuple[str, ...] = Field(default=_ASKS_PROBLEM, description="wording that sets a problem")
    defines: tuple[str, ...] = Field(default=_DEFINES, description="wording of a definition, after the term it defines")
    names: tuple[str, ...] = Field(default=_NAMES, description="wording of a definition, before the term it defines")
    punishes: tuple[str, ...] = Field(default=_PUNISHES, description="wording of a penalty")
    penalties: tuple[str, ...] = Field(default=_PENALTIES, description="penalties themselves")
    proceeds: tuple[str, ...] = Field(default=_PROCEEDS, description="wording of a procedure")
    delimits: tuple[str, ...] = Field(default=_DELIMITS, description="wording of scope or extent")
    illustrates: tuple[str, ...] = Field(default=_ILLUSTRATES, description="wording of an example or a worked problem")
