// SPDX-License-Identifier: Apache-2.0
/** Small texts that a master keeps durably beside its tables: keys of tokens, places of mounts and of stores. */
@NullMarked
package io.packing.bdt.master.texts;

import org.jspecify.annotations.NullMarked;
