// SPDX-License-Identifier: Apache-2.0
/** Table formats on a mount: writers that commit to one table at once, and writers that are killed. */
@NullMarked
package io.packing.lab.tables;

import org.jspecify.annotations.NullMarked;
