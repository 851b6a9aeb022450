// SPDX-License-Identifier: Apache-2.0
/** The interface by which kubelet asks a container runtime for images. */
@NullMarked
package io.packing.lab.cri;

import org.jspecify.annotations.NullMarked;
