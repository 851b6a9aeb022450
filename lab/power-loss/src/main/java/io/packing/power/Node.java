package io.packing.power;

import java.util.random.RandomGenerator;

/** A file or a directory, apart from its names. */
sealed interface Node permits FileNode, DirectoryNode {
    /** Returns the node after a power loss, with all that remains forced. */
    Node afterLoss(Loss loss, RandomGenerator random);
}
