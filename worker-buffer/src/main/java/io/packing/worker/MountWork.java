// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.worker.buffer.Appender;
import io.packing.worker.pack.ActiveWork;
import io.packing.worker.pack.CopyWork;
import io.packing.worker.pack.MasterSession;
import io.packing.worker.pack.Packer;
import io.packing.worker.pack.PushAhead;
import java.util.Optional;

/**
 * The parts that do a mount's work.
 *
 * @param deduplication stepped by one thread, if the mount has it
 * @param appender stepped by one thread
 * @param packer stepped by several
 * @param ahead pushes blobs while they fill, if the mount does so; stepped by one thread
 * @param copies of live bytes that the master orders; stepped by one thread
 * @param masterSession stepped by one thread
 * @param activeWork the seals and pushes under way
 */
record MountWork(
        Optional<Deduplication> deduplication,
        Appender appender,
        Packer packer,
        Optional<PushAhead> ahead,
        CopyWork copies,
        MasterSession masterSession,
        ActiveWork activeWork,
        MountThreads threads) {}
