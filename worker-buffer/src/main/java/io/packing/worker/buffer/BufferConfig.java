package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import java.time.Duration;

/**
 * How one mount's buffer behaves.
 *
 * @param segmentBytes a segment takes no more records past this size
 * @param maxBytes writers wait when the buffer holds more
 * @param minFreeDiskBytes writers wait when the disk has less left
 * @param patience for how long they wait
 * @param durability what a file survives when it is closed
 * @param codec how bytes are stored
 */
public record BufferConfig(
        long segmentBytes,
        long maxBytes,
        long minFreeDiskBytes,
        Duration patience,
        Durability durability,
        Codec codec) {}
