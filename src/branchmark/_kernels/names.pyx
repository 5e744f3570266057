# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Class names as bytes in one arena, and text files turned into integers in one pass.

Reading a million lines must not create a million Python strings: a token is looked up where it stands in
the file's buffer, and only names that a person will see are ever decoded.
"""
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport strtod
from libc.string cimport memcmp, memcpy, memset
from libcpp.algorithm cimport sort
from libcpp.utility cimport pair
from libcpp.vector cimport vector

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define prefetch(address) __builtin_prefetch(address)
    #else
    #define prefetch(address) ((void) 0)
    #endif
    """
    void prefetch(const void*) noexcept nogil

cdef enum:
    BATCH = 32
    SHORT_ROW = 32

UNKNOWN = -1
EMPTY = -2
BAD_SCORE = -3

cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    # splitmix64 finaliser: every input bit reaches every output bit
    x ^= x >> 30
    x *= <uint64_t> 0xbf58476d1ce4e5b9
    x ^= x >> 27
    x *= <uint64_t> 0x94d049bb133111eb
    return x ^ (x >> 31)


cdef inline uint64_t hash_bytes(const char* text, Py_ssize_t length) noexcept nogil:
    cdef uint64_t h = <uint64_t> 0x9e3779b97f4a7c15 ^ <uint64_t> length
    cdef uint64_t word
    while length >= 8:
        memcpy(&word, text, 8)
        h = mix(h ^ word)
        text += 8
        length -= 8
    if length > 0:
        word = 0
        memcpy(&word, text, length)
        h = mix(h ^ word)
    return mix(h)


cdef struct Key:
    # a name of up to 15 bytes is its own key; a longer one has its hash and its length, and is compared in full
    uint64_t a
    uint64_t b


cdef struct Slot:
    Key key
    int32_t spelling   # + 1, 0 is free
    int32_t id


cdef inline Key key_of(const char* text, Py_ssize_t length) noexcept nogil:
    cdef Key key
    cdef char[16] buffer
    cdef uint64_t h
    memset(buffer, 0, 16)
    if length <= 15:
        memcpy(buffer, text, length)
        buffer[15] = <char> length
    else:
        h = hash_bytes(text, length)
        memcpy(buffer, &h, 8)
        memcpy(buffer + 8, &length, 4)
        buffer[15] = 16
    memcpy(&key.a, buffer, 8)
    memcpy(&key.b, buffer + 8, 8)
    return key


cdef class NameTable:
    """Distinct names numbered from 0 in the order of first appearance, plus aliases of them.

    Open addressing. Short names and ids stand in the slots themselves, so that a lookup in a large table costs
    one cache miss and not four.
    """

    cdef vector[char] arena
    cdef vector[int64_t] starts   # of each spelling, aliases included; one more at the end
    cdef vector[int32_t] ids      # id that each spelling stands for
    cdef vector[Slot] slots
    cdef uint64_t mask
    cdef int32_t count            # ids given, without aliases

    def __cinit__(self):
        cdef Slot free_slot
        free_slot.key.a = free_slot.key.b = 0
        free_slot.spelling = free_slot.id = 0
        self.starts.push_back(0)
        self.slots.assign(64, free_slot)
        self.mask = 63
        self.count = 0

    def __len__(self):
        return self.count

    cdef inline uint64_t home(self, Key key) noexcept nogil:
        return mix(key.a ^ (key.b * <uint64_t> 0x9e3779b97f4a7c15)) & self.mask

    cdef uint64_t slot_of(self, Key key, const char* text, Py_ssize_t length) noexcept nogil:
        """The slot of a name, or the free slot where it would go."""
        cdef uint64_t at = self.home(key)
        cdef const Slot* slot
        cdef int64_t start
        while True:
            slot = &self.slots[at]
            if slot.spelling == 0:
                return at
            if slot.key.a == key.a and slot.key.b == key.b:
                if length <= 15:
                    return at
                start = self.starts[slot.spelling - 1]
                if memcmp(&self.arena[0] + start, text, length) == 0:
                    return at
            at = (at + 1) & self.mask

    cdef int32_t find(self, Key key, const char* text, Py_ssize_t length) noexcept nogil:
        cdef uint64_t at = self.slot_of(key, text, length)
        return self.slots[at].id if self.slots[at].spelling != 0 else -1

    cdef int32_t add(self, Key key, const char* text, Py_ssize_t length, int32_t alias_of) noexcept nogil:
        """Id of a name, new or known; alias_of >= 0 binds a new spelling to an existing id."""
        cdef uint64_t at = self.slot_of(key, text, length)
        cdef int32_t new_id
        if self.slots[at].spelling != 0:
            return self.slots[at].id
        if alias_of >= 0:
            new_id = alias_of
        else:
            new_id = self.count
            self.count += 1
        self.slots[at].key = key
        self.slots[at].spelling = <int32_t> self.starts.size()
        self.slots[at].id = new_id
        self.arena.insert(self.arena.end(), text, text + length)
        self.starts.push_back(self.arena.size())
        self.ids.push_back(new_id)
        if self.ids.size() * 2 > self.slots.size():
            self.grow()
        return new_id

    cdef void grow(self) noexcept nogil:
        cdef vector[Slot] old
        cdef Slot free_slot
        cdef size_t i
        cdef uint64_t at
        free_slot.key.a = free_slot.key.b = 0
        free_slot.spelling = free_slot.id = 0
        old.swap(self.slots)
        self.slots.assign(old.size() * 4, free_slot)
        self.mask = self.slots.size() - 1
        for i in range(old.size()):
            if old[i].spelling != 0:
                at = self.home(old[i].key)
                while self.slots[at].spelling != 0:
                    at = (at + 1) & self.mask
                self.slots[at] = old[i]

    def insert(self, str name, int alias_of=-1):
        """Id of a name, adding it if it is new."""
        cdef bytes text = name.encode()
        return self.add(key_of(text, len(text)), text, len(text), alias_of)

    def insert_all(self, names):
        """Ids of many names, adding the new ones."""
        cdef bytes text
        cdef str name
        cdef list found = []
        for name in names:
            text = name.encode()
            found.append(self.add(key_of(text, len(text)), text, len(text), -1))
        return np.array(found, dtype=np.int32)

    def get(self, str name):
        """Id of a name, or -1."""
        cdef bytes text = name.encode()
        return self.find(key_of(text, len(text)), text, len(text))

    def get_all(self, list names):
        """Ids of many names, -1 where there is none."""
        cdef Py_ssize_t n = len(names), start, i, count
        cdef (const char*)[BATCH] texts
        cdef Py_ssize_t[BATCH] lengths
        cdef Key[BATCH] keys
        cdef str name
        array = np.empty(n, dtype=np.int32)
        cdef int32_t[::1] found = array
        for start in range(0, n, BATCH):
            count = min(<Py_ssize_t> BATCH, n - start)
            for i in range(count):
                name = names[start + i]
                try:
                    texts[i] = PyUnicode_AsUTF8AndSize(name, &lengths[i])
                except UnicodeEncodeError:  # half a surrogate pair is in no file, so no class is called so
                    texts[i] = NULL
                    continue
                keys[i] = key_of(texts[i], lengths[i])
                prefetch(&self.slots[self.home(keys[i])])
            for i in range(count):
                found[start + i] = self.find(keys[i], texts[i], lengths[i]) if texts[i] != NULL else -1
        return array

    def renumber(self, const int32_t[::1] new_ids):
        """Give every id a new value; new_ids is injective and may leave gaps."""
        cdef size_t i
        cdef int32_t largest = -1
        for i in range(self.ids.size()):
            self.ids[i] = new_ids[self.ids[i]]
            largest = max(largest, self.ids[i])
        for i in range(self.slots.size()):
            if self.slots[i].spelling != 0:
                self.slots[i].id = self.ids[self.slots[i].spelling - 1]
        self.count = largest + 1

    def names(self):
        """The first spelling of every id, in id order; None where an id has none."""
        cdef size_t i
        cdef list out = [None] * self.count
        cdef const char* base = self.arena.data()
        for i in range(self.ids.size()):
            if out[self.ids[i]] is None:
                out[self.ids[i]] = base[self.starts[i]:self.starts[i + 1]].decode("utf-8")
        return out

    def aliases(self):
        """Every further spelling of an id."""
        cdef size_t i
        cdef dict out = {}
        cdef set seen = set()
        cdef const char* base = self.arena.data()
        for i in range(self.ids.size()):
            if self.ids[i] in seen:
                out[base[self.starts[i]:self.starts[i + 1]].decode("utf-8")] = self.ids[i]
            seen.add(self.ids[i])
        return out

    def hashes(self):
        """A 64-bit hash of the first spelling of every id; 0 where an id has none."""
        cdef uint64_t[::1] out
        array = np.zeros(self.count, dtype=np.uint64)
        out = array
        cdef size_t i
        for i in range(self.ids.size()):
            if out[self.ids[i]] == 0:
                out[self.ids[i]] = hash_bytes(self.arena.data() + self.starts[i],
                                              self.starts[i + 1] - self.starts[i])
        return array


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    return c == 32 or (c <= 13 and c >= 9 and c != 10)


cdef struct Field:
    Key key
    int64_t start
    int64_t row
    int64_t name_length
    int64_t length
    int32_t code


cdef class Batch:
    """Fields that wait for their ids: the slots of a whole batch are fetched from memory at once."""

    cdef NameTable table
    cdef bint insert
    cdef int waiting
    cdef Field[BATCH] fields
    cdef vector[int32_t] ids
    cdef vector[int64_t] bad   # start, length and row of each field without an id

    cdef void put(self, const char* text, Field field) noexcept nogil:
        if field.code == 0:
            field.key = key_of(text + field.start, field.name_length)
            prefetch(&self.table.slots[self.table.home(field.key)])
        self.fields[self.waiting] = field
        self.waiting += 1
        if self.waiting == BATCH:
            self.flush(text)

    cdef void flush(self, const char* text) noexcept nogil:
        cdef int i
        cdef int32_t found
        cdef Field* field
        for i in range(self.waiting):
            field = &self.fields[i]
            found = field.code
            if found == 0 and self.insert:
                found = self.table.add(field.key, text + field.start, field.name_length, -1)
            elif found == 0:
                found = self.table.find(field.key, text + field.start, field.name_length)
            if found < 0:
                self.bad.push_back(field.start)
                self.bad.push_back(field.length)
                self.bad.push_back(field.row)
            self.ids.push_back(found)
        self.waiting = 0


cdef int32_t read_score(const char* text, Py_ssize_t length, double* value) noexcept nogil:
    """0 and the number, or BAD_SCORE."""
    cdef char[64] number
    cdef char* after
    if length <= 0 or length > 63:
        return -3
    memcpy(number, text, length)
    number[length] = 0
    value[0] = strtod(number, &after)
    # also catches nan, the only value that differs from itself
    if after != number + length or value[0] != value[0]:
        value[0] = 0
        return -3
    return 0


def parse_rows(const uint8_t[::1] data, NameTable table, *, bint insert=False, char delimiter=0, bint scored=False):
    """Turn lines of names into ids.

    delimiter 0 splits at runs of blanks; another one splits exactly there and strips blanks around each field.
    scored reads the part of a field after its last colon as a number.

    Returns indptr (one row a line), ids (UNKNOWN, EMPTY or BAD_SCORE where a field has none), scores or None, and
    for each field without an id, in order, its byte position, its length and its row.
    """
    cdef vector[int64_t] indptr
    cdef vector[double] scores
    cdef Py_ssize_t size = data.shape[0], at = 0, start, stop, colon
    cdef int64_t count = 0
    cdef const char* text
    cdef double value
    cdef bint ends_line
    cdef Field field
    cdef Batch batch = Batch()
    batch.table = table
    batch.insert = insert
    batch.waiting = 0
    if size == 0:
        return (np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0) if scored else None,
                np.zeros((0, 3), np.int64))
    text = <const char*> &data[0]
    with nogil:
        indptr.push_back(0)
        while at < size:
            # one field per turn
            while at < size and is_blank(data[at]) and (delimiter == 0 or data[at] != delimiter):
                at += 1
            start = at
            if delimiter == 0:
                while at < size and data[at] != 10 and not is_blank(data[at]):
                    at += 1
                stop = at
                while at < size and is_blank(data[at]):
                    at += 1
            else:
                while at < size and data[at] != 10 and data[at] != delimiter:
                    at += 1
                stop = at
                while stop > start and is_blank(data[stop - 1]):
                    stop -= 1
            ends_line = at >= size or data[at] == 10
            # a blank line has no field at all, even where fields are separated exactly
            if stop > start or (delimiter != 0 and not (ends_line and count == indptr.back())):
                colon = stop
                value = 0
                field.code = 0
                if scored and stop > start:
                    colon = stop - 1
                    while colon >= start and text[colon] != 58:
                        colon -= 1
                    field.code = read_score(text + colon + 1, stop - colon - 1, &value) if colon >= start else -3
                if scored:
                    scores.push_back(value)
                if field.code == 0 and colon <= start:
                    field.code = -2
                field.start = start
                field.length = stop - start
                field.name_length = colon - start
                field.row = indptr.size() - 1
                batch.put(text, field)
                count += 1
            if ends_line:
                indptr.push_back(count)
            if at < size and (data[at] == 10 or delimiter != 0):
                at += 1
                if at >= size and not ends_line:
                    # a trailing delimiter: one more empty field and the end of the last line
                    field.code = -2
                    field.start = size
                    field.length = 0
                    field.row = indptr.size() - 1
                    batch.put(text, field)
                    count += 1
                    if scored:
                        scores.push_back(0)
                    indptr.push_back(count)
        batch.flush(text)
    return (as_int64(indptr), as_int32(batch.ids), as_double(scores) if scored else None,
            as_int64(batch.bad).reshape(-1, 3))


cdef as_int64(vector[int64_t]& values):
    array = np.empty(values.size(), dtype=np.int64)
    cdef int64_t[::1] view = array
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(int64_t))
    return array


cdef as_int32(vector[int32_t]& values):
    array = np.empty(values.size(), dtype=np.int32)
    cdef int32_t[::1] view = array
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(int32_t))
    return array


cdef as_double(vector[double]& values):
    array = np.empty(values.size(), dtype=np.float64)
    cdef double[::1] view = array
    if values.size():
        memcpy(&view[0], values.data(), values.size() * sizeof(double))
    return array


def sort_rows(const int64_t[::1] indptr, const int32_t[::1] indices, scores=None):
    """Sort every row and keep each label once, with its highest score; negative labels are left out.

    Returns new indptr, indices and scores (or None).
    """
    cdef Py_ssize_t n = indptr.shape[0] - 1, row, i, j, start, out = 0, out_start
    cdef int32_t label
    cdef double score = 0
    cdef bint scored = scores is not None
    cdef const double[::1] old_scores
    cdef double[::1] new_scores
    new_indptr = np.empty(n + 1, dtype=np.int64)
    new_indices = np.empty(indices.shape[0], dtype=np.int32)
    new_scores_array = np.empty(indices.shape[0] if scored else 0, dtype=np.float64)
    cdef int64_t[::1] p = new_indptr
    cdef int32_t[::1] x = new_indices
    old_scores = scores if scored else new_scores_array
    new_scores = new_scores_array
    cdef vector[pair[int32_t, double]] many
    p[0] = 0
    with nogil:
        for row in range(n):
            out_start = out
            if indptr[row + 1] - indptr[row] > SHORT_ROW:
                many.clear()
                for i in range(indptr[row], indptr[row + 1]):
                    if indices[i] >= 0:
                        many.push_back(pair[int32_t, double](indices[i], old_scores[i] if scored else 0))
                sort(many.begin(), many.end())
                for i in range(<Py_ssize_t> many.size()):
                    # of equal labels the one with the highest score comes last
                    if out > out_start and x[out - 1] == many[i].first:
                        out -= 1
                    x[out] = many[i].first
                    if scored:
                        new_scores[out] = many[i].second
                    out += 1
                p[row + 1] = out
                continue
            for i in range(indptr[row], indptr[row + 1]):
                label = indices[i]
                if label < 0:
                    continue
                if scored:
                    score = old_scores[i]
                # insertion sort: most rows are short and arrive in order
                j = out
                while j > out_start and x[j - 1] > label:
                    j -= 1
                if j > out_start and x[j - 1] == label:
                    if scored and score > new_scores[j - 1]:
                        new_scores[j - 1] = score
                    continue
                start = out
                while start > j:
                    x[start] = x[start - 1]
                    if scored:
                        new_scores[start] = new_scores[start - 1]
                    start -= 1
                x[j] = label
                if scored:
                    new_scores[j] = score
                out += 1
            p[row + 1] = out
    if out < indices.shape[0]:
        new_indices = new_indices[:out].copy()
        new_scores_array = new_scores_array[:out].copy()
    return new_indptr, new_indices, (new_scores_array if scored else None)


def fingerprint_rows(const int64_t[::1] indptr, const int32_t[::1] indices, const uint64_t[::1] hashes):
    """Sum over rows (mod 2**64) of a hash of each row's set of names: independent of order, adds up over chunks."""
    cdef uint64_t total = 0, row_sum
    cdef Py_ssize_t row, i
    with nogil:
        for row in range(indptr.shape[0] - 1):
            row_sum = 0
            for i in range(indptr[row], indptr[row + 1]):
                row_sum += hashes[indices[i]]
            total += mix(row_sum + <uint64_t> (indptr[row + 1] - indptr[row]) + 1)
    return int(total)


def fingerprint_links(const int64_t[::1] indptr, const int32_t[::1] indices, const uint64_t[::1] hashes):
    """Sum over nodes and parent links (mod 2**64) of hashes of their names: independent of numbering."""
    cdef uint64_t total = 0
    cdef Py_ssize_t node, i
    with nogil:
        for node in range(indptr.shape[0] - 1):
            total += mix(hashes[node] + 1)
            for i in range(indptr[node], indptr[node + 1]):
                total += mix(hashes[node] * 3 + mix(hashes[indices[i]]))
    return int(total)
