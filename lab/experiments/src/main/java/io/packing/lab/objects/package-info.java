// SPDX-License-Identifier: Apache-2.0
/** Small objects by the protocol of S3: the gateway beside other servers. */
@NullMarked
package io.packing.lab.objects;

import org.jspecify.annotations.NullMarked;
