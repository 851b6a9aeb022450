// SPDX-License-Identifier: Apache-2.0
/** Certificates that tests and measurements make themselves, so that none is checked in and expires. */
@NullMarked
package io.packing.certificates;

import org.jspecify.annotations.NullMarked;
