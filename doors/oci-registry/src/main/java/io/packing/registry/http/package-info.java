// SPDX-License-Identifier: Apache-2.0
/** The OCI distribution API over HTTP. */
@NullMarked
package io.packing.registry.http;

import org.jspecify.annotations.NullMarked;
