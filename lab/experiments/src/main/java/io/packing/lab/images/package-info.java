// SPDX-License-Identifier: Apache-2.0
/** The experiment on container images: what a registry over a mount stores and how fast it is, beside another registry. */
@NullMarked
package io.packing.lab.images;

import org.jspecify.annotations.NullMarked;
