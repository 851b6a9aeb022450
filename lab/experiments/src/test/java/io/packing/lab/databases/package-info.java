// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.lab.databases;

import org.jspecify.annotations.NullMarked;
