package io.packing.power;

import java.util.random.RandomGenerator;

/** A file or a directory, apart from its names. */
sealed interface Node permits FileNode, DirectoryNode {
    /** What is there when the power is back, all of it forced. */
    Node afterLoss(Loss loss, RandomGenerator random);
}
