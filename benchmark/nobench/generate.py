#!/usr/bin/env python3
"""Documents of NoBench (Chasseur, Li and Patel: Enabling JSON Document Stores in Relational Databases, section 4.1), one JSON object a line.

The same seed and number of documents give the same bytes. Differs from the paper in one thing: words of nested_arr are not of the Brown corpus
but of a vocabulary made here, with Zipf's distribution."""

import argparse
import base64
import itertools
import pathlib
import sys

import numpy

SPARSE_KEYS = 1000
CLUSTERS = 100
KEYS_IN_CLUSTER = SPARSE_KEYS // CLUSTERS
MOST_WORDS = 7
VOCABULARY = 50_000  # The Brown corpus has about as many different words.
BATCH = 10_000


def text_of(number):
    """The string that stands for a number: base32 of its binary digits, as in the paper's generator (8 is GBRDCMBQGA======)."""
    return base64.b32encode(bin(number).encode()).decode()


SPARSE_VALUES = [text_of(number) for number in range(10)]


def vocabulary(size=VOCABULARY):
    """Different words, short ones first: the most frequent words of a language are its short ones."""
    starts, vowels, ends = "btdkglmnprsvzfhj", "aeiou", ["", "n", "s", "r", "l"]
    open_syllables = [start + vowel for start in starts for vowel in vowels]
    syllables = [syllable + end for end in ends for syllable in open_syllables]
    words = itertools.chain(syllables, (a + b for b in syllables for a in open_syllables), (a + b + c for a in open_syllables for b in open_syllables for c in syllables))
    return list(itertools.islice(words, size))


def word_shares(size=VOCABULARY):
    """How probable each word of the vocabulary is, by Zipf's law."""
    weights = 1 / numpy.arange(1, size + 1)
    return weights / weights.sum()


def others(count, random):
    """For each object another one, so that each is another's just once: a step along a random ring."""
    ring = random.permutation(count)
    other = numpy.empty(count, dtype=numpy.int64)
    other[ring] = numpy.roll(ring, 1)
    return other


class Objects:
    """What is drawn for `count` objects: arrays by object. Numbers and strings begin with those of `first`, so that a later load has new ones."""

    def __init__(self, count, seed, first=0):
        random = numpy.random.default_rng(int(seed))
        self.count = count
        self.num = first + random.permutation(count)
        self.str1 = first + random.permutation(count)
        self.str2 = first + random.permutation(count)
        self.bool = random.random(count) < 0.5
        self.dyn1_is_string = random.random(count) < 0.05
        self.dyn2_kind = random.integers(0, 3, count)
        self.nested_str = self.str1[others(count, random)]
        self.nested_num = self.num[others(count, random)]
        self.cluster = random.integers(0, CLUSTERS, count)
        self.sparse = random.integers(0, len(SPARSE_VALUES), (count, KEYS_IN_CLUSTER))
        words = random.integers(0, MOST_WORDS + 1, count)
        self.word_ends = numpy.cumsum(words)
        cumulated = numpy.cumsum(word_shares())
        self.words = numpy.minimum(numpy.searchsorted(cumulated, random.random(int(self.word_ends[-1]) if count else 0)), VOCABULARY - 1)

    def lines(self, begin, end):
        """The JSON text of objects from begin to before end, each with its line end."""
        known_words = vocabulary()
        known_keys = [[f'"sparse_{cluster * KEYS_IN_CLUSTER + key:03d}": ' for key in range(KEYS_IN_CLUSTER)] for cluster in range(CLUSTERS)]
        values = [f'"{value}"' for value in SPARSE_VALUES]
        part = slice(begin, end)
        num = self.num[part].tolist()
        strings = [[f'"{text_of(number)}"' for number in numbers[part].tolist()] for numbers in (self.str1, self.str2, self.nested_str)]
        bools = ["true" if value else "false" for value in self.bool[part].tolist()]
        ends = self.word_ends[part].tolist()
        word = int(self.word_ends[begin - 1]) if begin else 0
        words = [known_words[number] for number in self.words[word : ends[-1]].tolist()]
        rest = zip(self.dyn1_is_string[part].tolist(), self.dyn2_kind[part].tolist(), self.nested_num[part].tolist(), self.cluster[part].tolist(),
                   self.sparse[part].tolist(), ends)
        position = 0
        for str1, str2, nested_str, number, boolean, (is_string, kind, nested_num, cluster, sparse, word_end) in zip(*strings, num, bools, rest):
            tags = '", "'.join(words[position : word_end - word])
            position = word_end - word
            tags = f'["{tags}"]' if tags else "[]"
            pairs = ", ".join([key + values[value] for key, value in zip(known_keys[cluster], sparse)])
            yield (f'{{"str1": {str1}, "str2": {str2}, "num": {number}, "bool": {boolean}, "dyn1": {str1 if is_string else number}, '
                   f'"dyn2": {(str1, number, boolean)[kind]}, "nested_arr": {tags}, "nested_obj": {{"str": {nested_str}, "num": {nested_num}}}, '
                   f'{pairs}, "thousandth": {number % 1000}}}\n')


def write(path, count, seed, first=0):
    """Writes the objects; the number of bytes."""
    objects = Objects(count, seed, first)
    with open(path, "w", encoding="ascii", newline="\n") as file:
        for begin in range(0, count, BATCH):
            file.write("".join(objects.lines(begin, min(begin + BATCH, count))))
    return pathlib.Path(path).stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=pathlib.Path, help="file to write")
    parser.add_argument("--documents", type=int, default=1_000_000, help="how many (default 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other documents (default 1)")
    arguments = parser.parse_args()
    size = write(arguments.path, arguments.documents, arguments.seed)
    print(f"{arguments.documents:,} documents, {size / 1e6:,.1f} MB, {size / max(1, arguments.documents):.1f} bytes each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
