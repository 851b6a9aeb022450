// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.policy;

import io.packing.blob.FilePath;

/** A buffered file for a policy: its path at the time of the claim, and its length in bytes. */
public record Candidate(long fileId, FilePath path, long length) {}
