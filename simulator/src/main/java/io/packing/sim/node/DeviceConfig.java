package io.packing.sim.node;

import io.packing.sim.device.CloudVolume;
import io.packing.sim.device.Device;
import io.packing.sim.device.FlashDrive;
import io.packing.sim.device.SpinningDisk;

/** What stands where a node has its disks. */
public sealed interface DeviceConfig {
    /** A device of this kind, at rest. */
    Device make();

    record Spinning(long seekNanos, long bytesPerSecond) implements DeviceConfig {
        @Override
        public Device make() {
            return new SpinningDisk(seekNanos, bytesPerSecond);
        }
    }

    record Nvme(long readNanos, long writeNanos, long bytesPerSecondRead, long bytesPerSecondWritten)
            implements DeviceConfig {
        @Override
        public Device make() {
            return new FlashDrive(readNanos, writeNanos, bytesPerSecondRead, bytesPerSecondWritten);
        }
    }

    record Cloud(long latencyNanos, int operationsPerSecond, long operationBytes, long bytesPerSecond)
            implements DeviceConfig {
        @Override
        public Device make() {
            return new CloudVolume(latencyNanos, operationsPerSecond, operationBytes, bytesPerSecond);
        }
    }
}
