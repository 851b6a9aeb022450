package io.packing.bdt;

/** A kind of rows of a table. */
public enum ScanPart {
    BLOBS,
    /** What directories have themselves and at present: a file that a clone of a directory only shows is in its origin. */
    FILES,
    /** Bytes that several files share, or shared, or that a snapshot sees; each content once. */
    CONTENTS,
    /** What entries were until a snapshot's position; only the problems are told. */
    PAST,
    SNAPSHOTS,
    /** Those of directories; each is compared with what the directory has. */
    QUOTAS
}
