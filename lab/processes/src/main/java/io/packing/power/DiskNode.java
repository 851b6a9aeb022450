// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import java.util.random.RandomGenerator;

/** A file or a directory, apart from its names. */
sealed interface DiskNode permits FileNode, DirectoryNode {
    /** Returns the node after a power loss, with all that remains forced. */
    DiskNode afterLoss(Loss loss, RandomGenerator random);
}
