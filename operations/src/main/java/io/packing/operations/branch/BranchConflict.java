// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.tree.Difference;
import io.packing.blob.FilePath;

/**
 * A path that the branch and the origin changed since the base, and not to the same.
 *
 * @param path relative to the branch and to the origin
 * @param branch the change of the branch; of an entry below a directory that the branch deleted, the deletion
 * @param origin the change of the origin; of an entry whose directory the origin deleted, the deletion
 */
public record BranchConflict(FilePath path, Difference.Kind branch, Difference.Kind origin) {}
