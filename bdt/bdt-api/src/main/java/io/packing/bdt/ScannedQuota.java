// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FilePath;

/** The quota of a directory in a table. */
public record ScannedQuota(FilePath directory, Quota quota) {}
