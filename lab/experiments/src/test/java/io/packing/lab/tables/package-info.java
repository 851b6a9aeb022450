// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.lab.tables;

import org.jspecify.annotations.NullMarked;
