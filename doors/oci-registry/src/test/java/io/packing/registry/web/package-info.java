// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.registry.web;

import org.jspecify.annotations.NullMarked;
