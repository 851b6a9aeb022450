package io.packing.chaos;

/** What clients do most right before something happens: the moments in which it matters are short. */
enum Mood {
    /** Whatever is drawn. */
    ANY,
    /** Files that are deleted right after their close. */
    PASSING,
    /** New versions of files that are there. */
    OVERWRITING
}
