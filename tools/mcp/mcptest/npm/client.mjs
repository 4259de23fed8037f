// A client of an MCP server over stdio, by the official SDK: see mcptest.go.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createInterface } from "node:readline";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "yui-test", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
for await (const line of createInterface({ input: process.stdin })) {
	const { list, ...call } = JSON.parse(line);
	const answer = list ? await client.listTools() : await client.callTool(call);
	process.stdout.write(JSON.stringify(answer) + "\n");
}
await client.close();
