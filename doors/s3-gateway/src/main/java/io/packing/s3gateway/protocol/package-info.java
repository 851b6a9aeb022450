// SPDX-License-Identifier: Apache-2.0
/** Values of the S3 protocol: error codes, XML, texts of URIs and headers. It knows neither HTTP nor the mount. */
@NullMarked
package io.packing.s3gateway.protocol;

import org.jspecify.annotations.NullMarked;
