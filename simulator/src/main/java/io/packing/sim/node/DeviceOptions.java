// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.node;

import io.packing.sim.device.CloudVolume;
import io.packing.sim.device.Device;
import io.packing.sim.device.FlashDrive;
import io.packing.sim.device.SpinningDisk;

/** The kind of device that a node has as its disks. */
public sealed interface DeviceOptions {
    /** Makes an idle device of this kind. */
    Device make();

    record Spinning(long seekNanos, long bytesPerSecond) implements DeviceOptions {
        @Override
        public Device make() {
            return new SpinningDisk(seekNanos, bytesPerSecond);
        }
    }

    record Nvme(long readNanos, long writeNanos, long bytesPerSecondRead, long bytesPerSecondWritten)
            implements DeviceOptions {
        @Override
        public Device make() {
            return new FlashDrive(readNanos, writeNanos, bytesPerSecondRead, bytesPerSecondWritten);
        }
    }

    record Cloud(long latencyNanos, int operationsPerSecond, long operationBytes, long bytesPerSecond)
            implements DeviceOptions {
        @Override
        public Device make() {
            return new CloudVolume(latencyNanos, operationsPerSecond, operationBytes, bytesPerSecond);
        }
    }
}
