import pytest

from footnotary.text.sentences.reported_speech import speech_spans


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('The witness said: "The door was open. Nobody was there."', ['"The door was open. Nobody was there."']),
        ("“It rains,” she told us. The roof leaks.", ["“It rains,”"]),
        ('गवाह ने कहा, "दरवाज़ा खुला था।" मामला बंद हुआ।', ['"दरवाज़ा खुला था।"']),
        ('The Act says: "A lease needs writing."', []),
        ('The term "lease" means a transfer. He said nothing.', []),
        ('He said that the pipe is 5" wide. It leaks.', []),
        ('He said: "This never ends.\n\nA new part begins." It ends.', []),
    ],
)
def test_quotations_of_somebody_who_speaks_are_found_and_no_others(text: str, said: list[str]):
    assert [span.of(text) for span in speech_spans(text)] == said
