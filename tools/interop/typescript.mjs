// Drives a server with the official TypeScript client: runs the calls of a plan
// (standard input) and writes what came of them (standard output), as JSON. The
// client itself validates structured results against the listed schemas.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const plan = JSON.parse(readFileSync(0, "utf8"));
const client = new Client({ name: "typescript", version: "1.0.0" });
const transport = plan.url
  ? new StreamableHTTPClientTransport(new URL(plan.url), { requestInit: { headers: plan.headers ?? {} } })
  : new StdioClientTransport({ command: plan.command[0], args: plan.command.slice(1), stderr: "inherit" });
await client.connect(transport);

const report = {
  server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  tools: (await client.listTools()).tools,
  outcomes: [],
};
for (const call of plan.calls) {
  const outcome = { name: call.name, progress: [] };
  const stop = new AbortController();
  const options = { signal: stop.signal, timeout: 60_000 };
  if (call.progress || call.cancel) {
    options.onprogress = ({ progress }) => {
      outcome.progress.push(progress);
      if (call.cancel) stop.abort("the test cancels");
    };
  }
  try {
    const result = await client.callTool({ name: call.tool, arguments: call.arguments }, undefined, options);
    outcome.isError = result.isError ?? false;
    outcome.texts = result.content.map((item) => item.text);
    outcome.structured = result.structuredContent;
  } catch (error) {
    outcome.refused = String(error.message ?? error);
  }
  report.outcomes.push(outcome);
}
await client.close();
process.stdout.write(JSON.stringify(report));
