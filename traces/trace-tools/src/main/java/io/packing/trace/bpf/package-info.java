// SPDX-License-Identifier: Apache-2.0
/** Programs for the kernel's BPF that report the system calls and page faults of a process tree, and their loading. */
@NullMarked
package io.packing.trace.bpf;

import org.jspecify.annotations.NullMarked;
