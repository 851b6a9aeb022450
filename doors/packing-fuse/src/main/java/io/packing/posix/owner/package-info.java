/** Owners of files: the accounts of the machine, what the table has for them, and what stands for no account. */
@NullMarked
package io.packing.posix.owner;

import org.jspecify.annotations.NullMarked;
