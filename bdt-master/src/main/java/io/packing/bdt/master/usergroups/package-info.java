// SPDX-License-Identifier: Apache-2.0
/** In which groups users are, from outside of the mounts. */
@NullMarked
package io.packing.bdt.master.usergroups;

import org.jspecify.annotations.NullMarked;
