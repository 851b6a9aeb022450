// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Alluxio's properties for each role of a cluster. Every process gets them as system properties. */
final class ServerProperties {
    static final String HOST = "127.0.0.1";

    private final ClusterOptions config;
    private final ClusterPorts ports;

    ServerProperties(ClusterOptions config, ClusterPorts ports) {
        this.config = config;
        this.ports = ports;
    }

    Path conf() {
        return config.home().resolve("conf");
    }

    Path logs() {
        return config.home().resolve("logs");
    }

    Path rootUfs() {
        return config.home().resolve("root");
    }

    Path log4j() {
        return conf().resolve("log4j.properties");
    }

    /** Returns the properties with which clients find the cluster. */
    Map<String, String> client() {
        Map<String, String> p = common();
        // The default reserves a whole block for every open file, so that 32 writers would fill a small worker.
        p.put("alluxio.user.file.reserved.bytes", "1MB");
        p.put("alluxio.user.metrics.collection.enabled", "false");
        return p;
    }

    Map<String, String> master() {
        Map<String, String> p = client();
        p.put("alluxio.master.journal.type", "UFS");
        p.put("alluxio.master.journal.folder", config.home().resolve("journal").toString());
        p.put("alluxio.master.metastore", "HEAP");
        p.put("alluxio.master.mount.table.root.ufs", rootUfs().toString());
        p.put("alluxio.master.update.check.enabled", "false");
        p.put("alluxio.master.bind.host", HOST);
        p.put("alluxio.master.web.bind.host", HOST);
        p.put("alluxio.master.web.port", Integer.toString(ports.master().web()));
        p.put("alluxio.master.web.hostname", HOST);
        p.put("alluxio.master.daily.backup.enabled", "false");
        p.putAll(config.properties().master());
        return p;
    }

    Map<String, String> worker(int index) {
        Map<String, String> p = client();
        ClusterPorts.Server own = ports.workers().get(index);
        p.put("alluxio.worker.hostname", HOST);
        p.put("alluxio.worker.bind.host", HOST);
        p.put("alluxio.worker.rpc.port", Integer.toString(own.rpc()));
        p.put("alluxio.worker.web.port", Integer.toString(own.web()));
        p.put("alluxio.worker.web.bind.host", HOST);
        p.put("alluxio.worker.web.hostname", HOST);
        p.put("alluxio.worker.ramdisk.size", config.size().workerMegabytes() + "MB");
        p.put("alluxio.worker.tieredstore.levels", "1");
        p.put("alluxio.worker.tieredstore.level0.alias", "MEM");
        p.put("alluxio.worker.tieredstore.level0.dirs.path", tier(index).toString());
        p.put("alluxio.worker.tieredstore.level0.dirs.quota", config.size().workerMegabytes() + "MB");
        p.putAll(config.properties().worker());
        return p;
    }

    Path tier(int index) {
        return config.home().resolve("tier-" + index);
    }

    Map<String, String> jobMaster() {
        Map<String, String> p = master();
        p.put("alluxio.job.master.bind.host", HOST);
        p.put("alluxio.job.master.web.bind.host", HOST);
        return p;
    }

    /** Returns the properties of the job worker, which runs beside worker 0 and prefers it. */
    Map<String, String> jobWorker() {
        Map<String, String> p = worker(0);
        p.put("alluxio.job.worker.hostname", HOST);
        p.put("alluxio.job.worker.bind.host", HOST);
        p.put("alluxio.job.worker.web.bind.host", HOST);
        p.put("alluxio.job.worker.rpc.port", Integer.toString(ports.jobWorker().rpc()));
        p.put("alluxio.job.worker.web.port", Integer.toString(ports.jobWorker().web()));
        p.put("alluxio.job.worker.data.port", Integer.toString(ports.jobWorkerData()));
        p.put("alluxio.job.worker.threadpool.size", "4");
        return p;
    }

    private Map<String, String> common() {
        Map<String, String> p = new HashMap<>();
        p.put("alluxio.home", config.home().toString());
        p.put("alluxio.conf.dir", conf().toString());
        p.put("alluxio.logs.dir", logs().toString());
        p.put("log4j.configuration", log4j().toUri().toString());
        p.put("alluxio.master.hostname", HOST);
        p.put("alluxio.master.rpc.port", Integer.toString(ports.master().rpc()));
        p.put("alluxio.job.master.hostname", HOST);
        p.put("alluxio.job.master.rpc.port", Integer.toString(ports.jobMaster().rpc()));
        p.put("alluxio.job.master.web.port", Integer.toString(ports.jobMaster().web()));
        p.put("alluxio.security.authentication.type", "NOSASL");
        p.put("alluxio.security.authorization.permission.enabled", "false");
        p.put(
                "alluxio.extensions.dir",
                config.servers()
                        .extensions()
                        .orElse(config.home().resolve("extensions"))
                        .toString());
        return p;
    }
}
