"""Made-up tables, JSON records and key-value lists, with sentences that state their values rightly or wrongly."""

import json
from collections.abc import Iterator
from random import Random

Record = dict[str, object]
Row = tuple[str, str, int, str]
_FIRST = "Blue Golden Silver Green River Corner Royal Little Old New Sunny Harbour Maple Lotus Cedar Amber Pearl Red Oak Crystal".split()
_PLACE = [
    "Cafe",
    "Diner",
    "Grill",
    "Bakery",
    "Bistro",
    "Hardware Store",
    "Dental Clinic",
    "Bookshop",
    "Hotel",
    "Auto Repair",
    "Pharmacy",
    "Yoga Studio",
    "Pizzeria",
    "Tea House",
    "Noodle Bar",
]
_CITY = [
    "Santa Barbara",
    "Pune",
    "Leeds",
    "Austin",
    "Kochi",
    "Goleta",
    "Nashville",
    "Bristol",
    "Jaipur",
    "Tampa",
    "Lyon",
    "Mysuru",
    "Boise",
    "Nagpur",
]
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_PEOPLE = [
    "A. Rao",
    "B. Singh",
    "C. Thomas",
    "D. Mehta",
    "E. Fernandes",
    "F. Khan",
    "G. Iyer",
    "H. Olsen",
    "J. Brown",
    "K. Tanaka",
    "L. Moreau",
    "M. Silva",
]
_DRUGS = [
    "metformin",
    "amlodipine",
    "atorvastatin",
    "salbutamol",
    "levothyroxine",
    "omeprazole",
    "warfarin",
    "paracetamol",
]
_ILLS = [
    "type 2 diabetes",
    "hypertension",
    "asthma",
    "hypothyroidism",
    "acid reflux",
    "atrial fibrillation",
    "migraine",
    "anaemia",
]
_OFFENCES = [
    "driving without a licence",
    "selling adulterated milk",
    "late filing of the return",
    "employing a child",
    "discharging waste into a river",
    "tampering with a meter",
    "overloading a vehicle",
    "operating without registration",
    "refusing inspection",
    "false declaration",
]
_PRODUCTS = [
    "desk lamp",
    "water bottle",
    "office chair",
    "wireless mouse",
    "rain jacket",
    "coffee grinder",
    "school bag",
    "table fan",
    "pressure cooker",
    "bicycle helmet",
]
_SUBJECTS = ["Mathematics", "Physics", "Chemistry", "History", "Geography", "English", "Biology", "Economics"]
_METALS = ["copper", "iron", "zinc", "lead", "aluminium", "silver", "nickel", "tin"]


def _hour(rng: Random) -> str:
    return f"{rng.choice([6, 7, 8, 9, 10, 11])}:{rng.choice(['0', '30'])}"


def _business(rng: Random) -> Record:
    hours = {
        d: f"{_hour(rng)}-{rng.choice([15, 17, 18, 20, 21, 22, 23])}:{rng.choice(['0', '30'])}"
        for d in _DAYS
        if rng.random() < 0.85
    }
    flag = lambda: rng.choice([True, True, False, False, None])  # noqa: E731
    extra: Record = {"family_run_since": rng.randrange(1950, 2015)} if rng.random() < 0.6 else {}
    return extra | {
        "name": f"{rng.choice(_FIRST)} {rng.choice(_FIRST)} {rng.choice(_PLACE)}",
        "city": rng.choice(_CITY),
        "address": f"{rng.randrange(10, 999)} {rng.choice(['State St', 'Main Road', 'Park Lane', 'Station Rd', 'Hill Ave'])}",
        "hours": hours,
        "business_stars": rng.choice([2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0]),
        "review_count": rng.randrange(5, 900),
        "attributes": {
            "RestaurantsTakeOut": flag(),
            "OutdoorSeating": flag(),
            "WiFi": rng.choice(["free", "free", "no", "no", "paid", None]),
            "RestaurantsReservations": flag(),
            "BusinessParking": flag(),
            "WheelchairAccessible": flag(),
            "GoodForKids": flag(),
            "DogsAllowed": flag(),
        },
    }


_FLAGS = {
    "RestaurantsTakeOut": ("offers takeout", "does not offer takeout"),
    "OutdoorSeating": ("has outdoor seating", "has no outdoor seating"),
    "RestaurantsReservations": ("takes reservations", "does not take reservations"),
    "BusinessParking": ("has its own parking", "has no parking of its own"),
    "WheelchairAccessible": ("is wheelchair accessible", "is not wheelchair accessible"),
    "GoodForKids": ("is good for kids", "is not suited to kids"),
    "DogsAllowed": ("allows dogs", "does not allow dogs"),
}


def _clock(time: str) -> str:
    hour, minute = time.split(":")
    value = int(hour)
    suffix = "a.m." if value < 12 else "p.m."
    value = value if value <= 12 else value - 12
    return f"{value}:{minute.zfill(2)} {suffix}" if minute != "0" else f"{value} {suffix}"


def business_claims(record: Record, rng: Random) -> Iterator[tuple[str, int, str]]:
    """Right and wrong sentences about one business listing."""
    name, hours, flags = str(record["name"]), record["hours"], record["attributes"]
    assert isinstance(hours, dict)
    assert isinstance(flags, dict)
    for key, (yes, no) in rng.sample(sorted(_FLAGS.items()), 3):
        value = flags[key]
        for text, truth in ((yes, True), (no, False)):
            yield f"{name} {text}.", int(value is truth), "record_flag"
    wifi = flags["WiFi"]
    yield f"{name} offers free Wi-Fi.", int(wifi == "free"), "record_flag"
    yield f"There is no Wi-Fi at {name}.", int(wifi == "no"), "record_flag"
    day = rng.choice(_DAYS)
    if day in hours:
        opens, closes = hours[day].split("-")
        other = rng.choice([h for h in ("6:0", "7:30", "8:0", "9:30", "10:0", "11:30") if h != opens])
        form = rng.choice(["{n} opens at {h} on {d}.", "On {d}, {n} opens its doors at {h}."])
        yield form.format(n=name, h=_clock(opens), d=day), 1, "record_hours"
        yield form.format(n=name, h=_clock(other), d=day), 0, "record_hours"
        late = rng.choice([h for h in ("16:0", "17:30", "19:0", "20:30", "22:0", "23:30") if h != closes])
        form = rng.choice(["On {d} it is open until {h}.", "{n} closes at {h} on {d}."])
        yield form.format(n=name, h=_clock(closes), d=day), 1, "record_hours"
        yield form.format(n=name, h=_clock(late), d=day), 0, "record_hours"
        yield f"{name} is closed on {day}.", 0, "record_hours"
    missing = [d for d in _DAYS if d not in hours]
    if missing:
        yield f"{name} opens at {_clock('9:0')} on {rng.choice(missing)}.", 0, "record_missing"
    yield f"{name} is open every day of the week.", int(len(hours) == 7), "record_hours"
    stars = record["business_stars"]
    wrong = rng.choice([s for s in (2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0) if s != stars])
    form = rng.choice(
        ["{n} has a rating of {s} stars.", "{n} in {c} is rated {s} stars.", "It holds {s} stars out of 5."]
    )
    yield form.format(n=name, s=stars, c=record["city"]), 1, "record_value"
    yield form.format(n=name, s=wrong, c=record["city"]), 0, "record_value"
    count = int(str(record["review_count"]))
    yield f"{name} has {count} reviews.", 1, "record_value"
    yield f"{name} has {count + rng.choice([-3, 10, 100, 7])} reviews.", 0, "record_value"
    yield f"{name} is located at {record['address']} in {record['city']}.", 1, "record_value"
    yield (
        f"{name} is located at {record['address']} in {rng.choice([c for c in _CITY if c != record['city']])}.",
        0,
        "record_value",
    )
    since = int(str(record.get("family_run_since", 0)))
    year = since if since and rng.random() < 0.7 else rng.randrange(1950, 2015)
    yield f"{name} has been run by the same family since {year}.", int(year == since), "record_missing"


def _table(rng: Random) -> tuple[list[Record], list[tuple[str, str]], str]:
    """Rows, (column, sentence form) and the key column of one kind of table."""
    kind = rng.randrange(6)
    if kind == 0:
        rows = [
            {
                "Patient": p,
                "Age": rng.randrange(19, 88),
                "Diagnosis": rng.choice(_ILLS),
                "Medicine": rng.choice(_DRUGS),
                "Dose": f"{rng.choice([5, 10, 20, 25, 50, 100, 250, 500])} mg",
                "Ward": rng.choice("ABCDE"),
            }
            for p in rng.sample(_PEOPLE, rng.randrange(2, 6))
        ]
        return (
            rows,
            [
                ("Age", "{k} is {v} years old."),
                ("Diagnosis", "{k} was diagnosed with {v}."),
                ("Medicine", "{k} takes {v}."),
                ("Dose", "The dose for {k} is {v}."),
                ("Ward", "{k} is in ward {v}."),
            ],
            "Patient",
        )
    if kind == 1:
        rows = [
            {
                "Offence": o,
                "Section": rng.randrange(10, 190),
                "Fine (Rs.)": rng.choice([500, 1000, 2000, 5000, 10000, 25000, 50000]),
                "Imprisonment": rng.choice(["none", "3 months", "6 months", "1 year", "2 years", "5 years"]),
                "Compoundable": rng.choice(["yes", "no"]),
            }
            for o in rng.sample(_OFFENCES, rng.randrange(2, 6))
        ]
        return (
            rows,
            [
                ("Section", "The offence of {k} falls under section {v}."),
                ("Fine (Rs.)", "The fine for {k} is Rs. {v}."),
                ("Imprisonment", "For {k}, the term of imprisonment is given as {v}."),
                ("Compoundable", "For {k}, the answer on compounding is {v}."),
            ],
            "Offence",
        )
    if kind == 2:
        rows = [
            {
                "Product": p,
                "Price": f"${rng.randrange(5, 300)}.{rng.choice(['00', '50', '99'])}",
                "In stock": rng.randrange(0, 80),
                "Colour": rng.choice(["black", "white", "red", "blue", "green"]),
                "Warranty": rng.choice(["6 months", "1 year", "2 years", "3 years"]),
            }
            for p in rng.sample(_PRODUCTS, rng.randrange(2, 6))
        ]
        return (
            rows,
            [
                ("Price", "The {k} costs {v}."),
                ("In stock", "There are {v} units of the {k} in stock."),
                ("Colour", "The {k} comes in {v}."),
                ("Warranty", "The {k} has a warranty of {v}."),
            ],
            "Product",
        )
    if kind == 3:
        rows = [
            {
                "Student": p,
                "Subject": rng.choice(_SUBJECTS),
                "Marks": rng.randrange(31, 99),
                "Grade": rng.choice("ABCDE"),
                "Attendance": f"{rng.randrange(60, 100)}%",
            }
            for p in rng.sample(_PEOPLE, rng.randrange(2, 6))
        ]
        return (
            rows,
            [
                ("Subject", "{k} sat the paper in {v}."),
                ("Marks", "{k} scored {v} marks."),
                ("Grade", "{k} was given grade {v}."),
                ("Attendance", "The attendance of {k} was {v}."),
            ],
            "Student",
        )
    if kind == 4:
        rows = [
            {
                "Metal": m,
                "Melting point (°C)": rng.randrange(200, 1600),
                "Density (g/cm3)": round(rng.uniform(2, 12), 1),
                "Symbol used": m[:2].capitalize(),
            }
            for m in rng.sample(_METALS, rng.randrange(2, 6))
        ]
        return (
            rows,
            [
                ("Melting point (°C)", "According to the table, {k} melts at {v} °C."),
                ("Density (g/cm3)", "The density given for {k} is {v} g/cm3."),
            ],
            "Metal",
        )
    rows = [
        {
            "Office": c,
            "Staff": rng.randrange(4, 400),
            "Budget (lakh)": rng.randrange(3, 90),
            "Head": p,
            "Opened": rng.randrange(1965, 2023),
        }
        for c, p in zip(rng.sample(_CITY, 4), rng.sample(_PEOPLE, 4), strict=True)
    ]
    return (
        rows,
        [
            ("Staff", "The {k} office has {v} staff."),
            ("Budget (lakh)", "The budget of the {k} office is {v} lakh."),
            ("Head", "The {k} office is headed by {v}."),
            ("Opened", "The {k} office opened in {v}."),
        ],
        "Office",
    )


def _render(rows: list[Record], rng: Random) -> str:
    style = rng.randrange(5)
    columns = list(rows[0])
    if style == 0:
        lines = [" | ".join(columns), *(" | ".join(str(r[c]) for c in columns) for r in rows)]
        return "\n".join(lines)
    if style == 1:
        return json.dumps(rows if len(rows) > 1 else rows[0], ensure_ascii=False)
    if style == 2:
        return "\n".join("; ".join(f"{c}: {r[c]}" for c in columns) for r in rows)
    if style == 3:
        return "\n\n".join("\n".join(f"{c}: {r[c]}" for c in columns) for r in rows)
    return "\n".join([",".join(columns), *(",".join(str(r[c]) for c in columns) for r in rows)])


def _wrong(value: object, rows: list[Record], column: str, rng: Random) -> object | None:
    """Another row's value where there is one, else a changed number."""
    others = sorted({str(r[column]) for r in rows} - {str(value)})
    if others and rng.random() < 0.7:
        return rng.choice(others)
    if isinstance(value, int):
        return max(0, value + rng.choice([-5, -1, 1, 2, 10, 100]))
    if isinstance(value, float):
        return round(value + rng.choice([-1.5, 0.3, 1.0, 2.2]), 1)
    return rng.choice(others) if others else None


def table_claims(
    rows: list[Record], forms: list[tuple[str, str]], key: str, rng: Random
) -> Iterator[tuple[str, int, str]]:
    """Right values, values of other rows, comparisons and unstated facts about a table."""
    for column, form in rng.sample(forms, min(2, len(forms))):
        row = rng.choice(rows)
        wrong = _wrong(row[column], rows, column, rng)
        yield _cap(form.format(k=row[key], v=row[column])), 1, "table_value"
        if wrong is not None and str(wrong) != str(row[column]):
            yield _cap(form.format(k=row[key], v=wrong)), 0, "table_value"
    numeric = [
        c for c, _ in forms if all(isinstance(r[c], int | float) for r in rows) and c not in ("Section", "Opened")
    ]
    if numeric and len(rows) > 1:
        column = rng.choice(numeric)
        one, two = rng.sample(rows, 2)
        if one[column] != two[column]:
            high = float(str(one[column])) > float(str(two[column]))
            label = column.split(" (")[0].lower()
            yield (
                f"The figure for {label} is {'higher' if high else 'lower'} for {one[key]} than for {two[key]}.",
                1,
                "table_compare",
            )
            yield (
                f"The figure for {label} is {'lower' if high else 'higher'} for {one[key]} than for {two[key]}.",
                0,
                "table_compare",
            )
        best = max(rows, key=lambda r: float(str(r[column])))
        if [float(str(r[column])) for r in rows].count(float(str(best[column]))) == 1:
            other = rng.choice([r for r in rows if r is not best])
            label = column.split(" (")[0].lower()
            yield f"The highest figure for {label} is that of {best[key]}.", 1, "table_compare"
            yield f"The highest figure for {label} is that of {other[key]}.", 0, "table_compare"
    yield f"The list has {len(rows)} entries.", 1, "table_count"
    yield f"The list has {len(rows) + rng.choice([-1, 1, 2])} entries.", 0, "table_count"


def _cap(text: str) -> str:
    return text[0].upper() + text[1:]


def record_rows(count: int, rng: Random) -> Iterator[Row]:
    """(premise, claim, label, kind) over business listings and small tables."""
    made = 0
    while made < count:
        if rng.random() < 0.4:
            record = _business(rng)
            premise = json.dumps(record) if rng.random() < 0.7 else str(record)
            claims = list(business_claims(record, rng))
        else:
            rows, forms, key = _table(rng)
            premise = _render(rows, rng)
            claims = list(table_claims(rows, forms, key, rng))
        good = [c for c in claims if c[1]]
        bad = [c for c in claims if not c[1]]
        for claim, label, kind in rng.sample(good, min(3, len(good))) + rng.sample(bad, min(4, len(bad))):
            yield premise, claim, label, kind
            made += 1
