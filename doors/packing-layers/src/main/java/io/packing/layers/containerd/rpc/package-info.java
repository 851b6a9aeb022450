// SPDX-License-Identifier: Apache-2.0
/** The gRPC service of a snapshotter, as containerd calls it. */
@NullMarked
package io.packing.layers.containerd.rpc;

import org.jspecify.annotations.NullMarked;
