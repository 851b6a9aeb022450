// SPDX-License-Identifier: Apache-2.0
/** Databases with their files at the kernel's door and on the local disk. */
@NullMarked
package io.packing.lab.databases;

import org.jspecify.annotations.NullMarked;
