"""Where sentences end. In every case "‖" stands where a unit must end and is no part of the text."""

import pytest

from footnotary.text.sentences.splitter import sentence_spans, sentences

PLAIN = """
Cheating is an offence.‖ It is punished with imprisonment.
Is it an offence?‖ Yes!‖ It is.
No end punctuation here
One sentence only.
He left.‖ 10 people stayed.
It costs 5.‖ Then it rose.
The sum is 3.14 and 2.71.‖ Next.
Wait!‖ Stop!‖ Go?!‖ Now.
it is lower case.‖ this is too.‖ and this
is it legal?‖ it is not.
The limit is 100%.‖ Nothing more.
The fine is Rs. 10,000/-.‖ Nothing more.
They forgot the space.‖The court did not.
"""

LEGAL = """
Sec. 420 deals with cheating.‖ Sec. 415 defines it.
Under s. 420 he was charged.‖ He pleaded guilty.
See ss. 415 and 420.‖ They apply.
He was charged under Section 420.‖ The court acquitted him.
A fine of Rs. 10,000 may be imposed.‖ It is payable at once.
A fine of Rs. ten thousand is due.
He paid Rs.500 in cash.‖ It was enough.
Smith v. Jones is the leading case.‖ It was followed.
State of Bihar vs. Kamla Devi was heard.
Smith v. Jones, 12 F.3d 45 (2d Cir. 1999) holds so.‖ It stands.
Brown v. Board, 98 F. Supp. 797 (D. Kan. 1951), was reversed.
See Writ Petition No. 12 of 2020.‖ It was dismissed.
Appeals Nos. 1 and 2 were heard together.
Was he guilty?‖ No.‖ The court acquitted him.
Art. 21 protects life.‖ Art. 14 protects equality.
Cl. (b) of sub-s. (2) applies.‖ Cl. (c) does not.
See Ch. V and Sch. II.‖ Both apply.
As shown in Fig. 3 and Eq. (4), it holds.
See p. 12 and pp. 14-16.‖ More follows.
Some offences, e.g. theft, are cognizable.‖ Others are not.
Some, e.g., Theft and Fraud, are listed.
The principal, i.e. the owner, is liable.
The rules cover books, papers, etc. and nothing more.
The rules cover books, papers, etc.‖ The Act covers more.
The rules cover books, papers, etc.‖ Other things are not covered.
Dr. Sharma and Mr. Rao appeared.‖ Mrs. Das did not.
The Hon'ble Court agreed.‖ So did Hon. Mehta.
Bhagwati J. wrote the judgment.‖ Iyer and Rao JJ. agreed.
It was decided by Bhagwati, J.‖ The other judges agreed.
Tata Sons Co. Ltd. v. Union of India was cited.‖ It was overruled.
He sued Acme Ltd.‖ The suit failed.
Acme Inc. Holdings and Beta Corp. Services merged.
The provision is 42 U.S.C. 1320d.‖ It is federal.
See 42 U.S.C. § 1320d and 45 C.F.R. § 164.514.‖ Both apply.
See 45 C.F.R.‖ The rule is there.
A.I.R. 1973 S.C. 1461 is binding.‖ It is law.
AIR 1999 Bom. 45 was followed.
The U.S. Government appealed.‖ It lost.
He lives in the U.S.‖ He likes it.
A. B. Sharma argued for the State.‖ He won.
The brief of A.B. Sharma was short.
Justice S. A. Bobde agreed.‖ He wrote nothing.
On Jan. 5 the Act came into force.‖ On Feb. 7 it was amended.
It began in Sept.‖ The hearing ended in Oct.
The meeting is at 5 p.m. on Monday.‖ At 6 p.m. it ends.
The office closes at 5 p.m.‖ The guard leaves then.
It falls under §164.514(b).‖ It does not fall under § 164.512.
Section 164.514 applies.‖ Section 164.512 does not.
The rule at 164.514(b)(2)(i) applies.‖ No other does.
Section 2. Definitions.‖ In this Act, unless the context otherwise requires, words have their meaning.
420. Cheating and dishonestly inducing delivery of property.—‖Whoever cheats shall be punished.
420. Cheating and dishonestly inducing delivery of property.— ‖Whoever cheats shall be punished.‖ He may be fined.
12. Payment of minimum rates of wages. —‖ (1) Where a notification is in force, the employer shall pay.
1. Short title, extent, etc.—‖(1) This Act may be called the Test Act.‖ (2) It extends to India.
Explanation.—‖A dishonest concealment of facts is a deception.
2.—In this Act a word has its meaning.
3. Short title.-‖This Act has a title.
He was convicted (see Sec. 420).‖ He appealed.
The Act applies to (a) employers, (b) workers and (c) contractors.‖ It applies at once.
The person shall (a) pay; (b) file; and (c) keep records.‖ He shall do so.
A deceives Z.‖ B helps A.‖ Whoever helps is liable.
A intentionally deceives Z into a belief that A means to repay.‖ A cheats.
It was so held by A. K. Gopalan.‖ The case is old.
The Govt. of India and the Dept. of Labour agreed.
The matter is listed before Addl. Sessions Judge.‖ It is old.
State v. Ram & Ors. was decided in 1990.
The firm M/s. Gupta Bros. filed a suit.‖ It failed.
The court in re. Gupta held so.
Notwithstanding anything in the Act (45 of 1860), it applies.‖ It does.
Ex. P-1 was proved.‖ Ex. P-2 was not.
It pays ten per cent. of the wages.‖ It pays twenty per cent.‖ The rest is kept.
Ph.D. students are exempt.‖ Others are not.
It applies to any person, i.e., everyone.‖ No exception exists.
"""

QUOTES = """
He said "Stop." ‖Then he left.
He said "Stop." and left.
He asked "Why?" and left.‖ She stayed.
He asked "Why?" ‖She stayed.
“Employer” means any person who employs.‖ “Worker” means any person employed.
The Act says “whoever cheats.”‖ It says no more.
(It was repealed.)‖ It was re-enacted.
[It was repealed.]‖ It was re-enacted.
He called it ‘fraud.’‖ She agreed.
**Cheating is an offence.**‖ It is punished.
He left (at last!).‖ She stayed.
"""

MARKERS = """
It may extend to seven years. [IPC_420_0]‖ The next claim stands. [IPC_417_0]
It may extend to seven years [IPC_420_0].‖ The next claim stands [IPC_417_0].
It may extend to seven years.[1]‖ The next claim stands.[2][3]
It may extend to seven years. [1] [2]‖ Next.
It may extend to seven years. [SOURCE: abc-123]‖ Next. [SOURCE: a, b]
An AP is a list of numbers [Source 1].‖ Its formula is known. [Source 3]
Per [IPC_420_0], cheating is illegal.‖ Additionally, [MinimumWagesAct_2_1] defines employer.
Cheating is illegal.‖ [MinimumWagesAct_2_1] defines employer as any person.
It is law. [HIPAA_164.514_0]‖ It binds.
It is law [SOURCE: report.Final v. 2.pdf].‖ It binds.
It is law. [A_1_0].‖ It binds.
It applies to goods, etc. [A_1_0]‖ The rest is free. [A_2_0]
यह अपराध है। [IPC_420_0]‖ सज़ा सात वर्ष है। [IPC_420_1]
Is it law? [A_1_0]‖ Yes. [A_1_0]
"""

OTHER_SCRIPTS = """
यह पहला वाक्य है।‖ यह दूसरा वाक्य है।
क्या है?‖ यह एक श्रेढ़ी है।
यह श्लोक है॥‖ यह दूसरा है॥
बिना खाली स्थान।‖अगला वाक्य।
डॉ. शर्मा आए।‖ वे चले गए।
रु. 500 का जुर्माना है।‖ यह कम है।
ए. के. गोपालन का मामला पुराना है।‖ वह प्रसिद्ध है।
यह पहला वाक्य है.‖ यह दूसरा वाक्य है.
धारा 2.5 लागू है।‖ धारा 3 नहीं।
“यह सच है।”‖ उसने कहा।
धारा 420. छल करना।‖ जो कोई छल करेगा।
第一句。‖第二句！‖第三句？
これは文です。‖次の文です。
"""

TRICKS = """
He waited ... and left.‖ She stayed.
He waited...‖ Then he left.
He waited…‖ Then he left.
He waited . . . and left.
See www.example.com for more.‖ It is free.
Write to a.b@example.com.‖ It is read.
Open the file report.pdf now.‖ Then close it.
Version 2.0.1 is out.‖ It is good.
The ratio is 1:2.‖ It is fixed.
The steps are: 1. Open the door.‖ 2. Close it.
Find the value of n.‖ Substitute it.
The nth term is a + (n-1)d.‖ It is an AP.
Plan B.‖ It failed.
The common difference is d.‖ Here d = 3.
1. First item.
420. Cheating is an offence.‖ It is punished.
What is Sec. 2?‖ It is a section.
...
.
?!
"""

LINES = [
    "Definitions\n\n‖Employer means any person.",
    "Section 420 IPC\n‖Cheating and dishonestly inducing delivery of property is an offence.",
    "CHAPTER II\n‖GENERAL EXPLANATIONS\n‖Every word has its meaning.",
    "# Punishment\n‖Whoever cheats shall be punished.\n\n‖## Fine\n‖He shall pay.",
    "**Punishment**\n‖Seven years.",
    "Punishment:\n‖Imprisonment for seven years.",
    "According to [IPC_420_0], Section 420 IPC deals with cheating and \ndishonestly inducing delivery of property.‖ "
    "The punishment under \n[IPC_420_0] is imprisonment for a term which may extend to seven years \nand fine.",
    "The rule was laid down long ago by the Supreme\nCourt in a case that all who read law know.\n‖It stands.",
    "The employer shall\n‖(a) pay wages;\n‖(b) keep records; and\n‖(c) file returns.",
    "The employer shall—\n‖(i) pay wages,\n‖(ii) keep records.",
    "as defined in clause\n(a) of section 2, a word has a meaning",
    "It is punishable under section\n420.‖ It is an offence that the law has known for a very long time.",
    "The age is\n18. He is a minor.".replace("18. ", "18.‖ "),
    "It needs:\n‖- a filing\n‖- a fee\n‖- a form",
    "It needs:\n‖• a filing\n‖• a fee",
    "It needs\n‖* a filing\n‖* a fee",
    "Steps\n‖1. Open the door\n‖2. Close it.",
    "Steps\n‖1) Open the door\n‖2) Close it.",
    "1. First item. ‖It goes on.\n‖2. Second item.",
    "1.\nFirst item on its own line.\n‖2.\nSecond item.",
    "- Cheating is an offence. [IPC_420_0]\n‖- Theft is one too. [IPC_379_0]",
    "First paragraph without a stop\n\n‖second paragraph without a stop",
    "first line\n\n\n\n‖second line\n  \n‖third line",
    "a hard-wrapped line of prose that goes\non in lower case and then\nends here.\n‖Next.",
    "Apples\n‖Oranges\n‖Bananas",
    "| Term | Meaning |\n‖| AP | a list |\n‖| d | difference |",
    "Title\n‖---\n‖Text follows.",
    "It may extend to seven years.\n[IPC_420_0]\n‖Next.",
    "[IPC_420_0] Cheating is an offence.\n‖[IPC_379_0] Theft is one too.",
    "420. Cheating and dishonestly inducing delivery of property.—\n‖Whoever cheats shall be punished.",
    "धारा 420\n‖छल करना और बेईमानी से संपत्ति परिदत्त करने के लिए प्रेरित करना अपराध है।",
    "यह एक लंबा वाक्य है जो अगली पंक्ति में\nजाकर समाप्त होता है।\n‖यह दूसरा है।",
    "(क) पहला\n‖(ख) दूसरा",
    "Step 1 Open the door\n‖Step 2 Close it",
    "One.\r\n‖Two.\r\n\r\n‖Three",
    "The Minimum Wages Act,\n1948. It applies to scheduled employments everywhere.".replace("1948. ", "1948.‖ "),
    "Illustrations\n‖(a) A deceives Z. ‖A cheats.\n‖(b) A lies to B.",
    "KIND: act\n‖LANGUAGE: en\n‖NOTE: A digest.",
    "He was represented by Mr.\nA. Sharma, who won.",
    "(1) The Town Council, the County Council or the National\n"
    "Council hears no complaint that is made later than two years after the day on which its cause arose.",
    "The bench hears an appeal as the Rules of Practice, 1908\n"
    "(5 of 1908), provide, and it sits in public on every working day of the year unless it orders otherwise.",
    "(3) A wage that was fixed for a kind of work by the appropriate\n"
    "Government is paid to each person who does it, whether he was taken on for a day, a week or a month.",
    "Where the Town Council or the County Council or the National\n"
    "Council has heard a complaint, it tells the parties in writing what it has found within thirty days.",
    "Duties Of The Landlord And Of The Managing Agent\n"
    "‖Repairs are made by the landlord within ten days after a written notice of the tenant about the damage.",
    "Fees that the owner of a flat pays to the Association\n"
    "‖The owner of a flat pays a yearly fee of two hundred rupees for each room, and half of it for a cellar.",
    "(1) कोई दफ़्तर इस नियम के अधीन किसी शिकायत को समुचित सरकार\n"
    "द्वारा या उसके प्राधिकार के अधीन या इस निमित्त चुने गए किसी अधिकारी द्वारा दी गई सूचना पर ही सुनेगा।",
]  # fmt: skip


def cases() -> list[str]:
    tables = (PLAIN, LEGAL, QUOTES, MARKERS, OTHER_SCRIPTS, TRICKS)
    return [case for table in tables for case in table.strip().split("\n")] + LINES


@pytest.mark.parametrize("case", cases())
def test_a_text_is_split_where_its_sentences_end(case: str):
    expected = [unit.strip() for unit in case.split("‖")]
    assert list(sentences(case.replace("‖", ""))) == expected


@pytest.mark.parametrize("text", ["", "   ", "\n\n\t\n"])
def test_a_text_without_a_visible_character_has_no_sentence(text: str):
    assert sentence_spans(text) == ()


def test_cases_counted_in_words_are_units_that_keep_their_number():
    text = "Homicide is murder if done with intent, or—\n2ndly.—If the risk was known, or—\n[Third.—Every warden;]"
    assert sentences(text) == (
        "Homicide is murder if done with intent, or—",
        "2ndly.—If the risk was known, or—",
        "[Third.—Every warden;]",
    )


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1. Moving in\nYou collect the keys at the office.", 2),
        ("1. Read with section\nA of the order, which lists the fees.", 1),
        ("1. The tenant pays the rent in\nAugust and in the month after it.", 1),
    ],
)
def test_a_short_numbered_title_is_apart_from_the_sentence_below_it(text, count):
    assert len(sentences(text)) == count
