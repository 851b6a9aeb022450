// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

/**
 * A layer of a simulated node: takes operations in the order of their virtual time, and passes on those that it cannot
 * serve.
 */
@FunctionalInterface
public interface Layer {
    void submit(LocalIo io);
}
