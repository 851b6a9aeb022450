package io.packing.power;

/** What becomes of the writes and directory entries that were not forced when the power goes. */
public enum Loss {
    /** All of them are gone. */
    ALL,
    /** Each 512-byte sector of each write, and each directory entry, is there or not, whatever came first. */
    REORDERED,
    /** Files have their new lengths and names; some of them, zeros where nothing was forced. */
    ZEROS,
    /** Of each file the first writes are there, the last of them in part; of each directory, the first entries. */
    TORN,
    /** None: the disk was quicker than the power. */
    NOTHING
}
