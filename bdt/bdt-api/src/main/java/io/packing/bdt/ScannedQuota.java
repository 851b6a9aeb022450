package io.packing.bdt;

import io.packing.blob.FilePath;

/** The quota of a directory, as the table has it. */
public record ScannedQuota(FilePath directory, Quota quota) {}
