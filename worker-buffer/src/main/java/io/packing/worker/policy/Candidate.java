package io.packing.worker.policy;

import io.packing.blob.FilePath;

/** A buffered file as a policy sees it: path at the time of the claim, and length in bytes. */
public record Candidate(long fileId, FilePath path, long length) {}
