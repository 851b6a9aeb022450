// SPDX-License-Identifier: Apache-2.0
/** Images whose layers the registry has in another form than they were pushed in. */
@NullMarked
package io.packing.registry.translate;

import org.jspecify.annotations.NullMarked;
