/**
 * Which bytes below a path of a mount are the same, and how files come to share them: clients of the BDT port, and of
 * whatever reads a file's bytes.
 */
@NullMarked
package io.packing.operations.dedup;

import org.jspecify.annotations.NullMarked;
