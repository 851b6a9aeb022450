// SPDX-License-Identifier: Apache-2.0
/** Facts that only the launcher knows: the folder of the installation, and which streams are terminals. */
@NullMarked
package io.packing.cli.launch;

import org.jspecify.annotations.NullMarked;
