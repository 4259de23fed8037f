// Draws and examines models with three-vrm, one job after the other, as the tests ask for them.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';

let warnings = [];
for (const kind of ['warn', 'error']) {
  const plain = console[kind].bind(console);
  console[kind] = (...parts) => { warnings.push(parts.map(String).join(' ')); plain(...parts); };
}

const canvas = document.createElement('canvas');
const renderer = new THREE.WebGLRenderer({ canvas, alpha: true, antialias: true, preserveDrawingBuffer: true });
renderer.setPixelRatio(1);
renderer.setClearColor(0, 0);

const loader = new GLTFLoader();
loader.register((parser) => new VRMLoaderPlugin(parser));

function view(model, job) {
  const box = new THREE.Box3().setFromObject(model);
  const height = box.max.y - box.min.y;
  const middle = (box.max.y + box.min.y) / 2;
  const half = THREE.MathUtils.degToRad(job.fov / 2);
  const distance = (height * 1.1 / 2) / Math.tan(half);
  const camera = new THREE.PerspectiveCamera(job.fov, job.width / job.height, 0.1, 20 + distance);
  camera.position.set(0, middle, distance);
  camera.lookAt(0, middle, 0);
  return { camera, height, middle };
}

function shoot(scene, camera) {
  renderer.render(scene, camera);
  const gl = renderer.getContext();
  const pixels = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

// expressions tells for each expression how many pixels it changes, which is the proof that its binds do something.
function expressions(vrm, scene, camera) {
  const manager = vrm.expressionManager;
  if (!manager) return {};
  const changed = {};
  vrm.update(0);
  const plain = shoot(scene, camera);
  for (const e of manager.expressions) {
    manager.setValue(e.expressionName, 1);
    vrm.update(0);
    const worn = shoot(scene, camera);
    let n = 0;
    for (let i = 0; i < worn.length; i += 4) {
      if (worn[i] !== plain[i] || worn[i + 1] !== plain[i + 1] || worn[i + 2] !== plain[i + 2] || worn[i + 3] !== plain[i + 3]) n++;
    }
    changed[e.expressionName] = n;
    manager.setValue(e.expressionName, 0);
  }
  vrm.update(0);
  return changed;
}

// springs throws the head and hips about for two seconds and tells how far the joints' tips were turned at most.
function springs(vrm) {
  const manager = vrm.springBoneManager;
  const found = { joints: 0, colliders: 0, moved: 0, finite: true, swung: [] };
  if (!manager) return found;
  found.joints = manager.joints.size;
  found.colliders = manager.colliders.length;
  manager.setInitState();
  const start = new Map();
  for (const j of manager.joints) start.set(j, j.bone.quaternion.clone());
  for (let i = 0; i < 120; i++) {
    const swing = Math.sin(i / 8);
    for (const name of ['hips', 'chest', 'head']) {
      const bone = vrm.humanoid.getNormalizedBoneNode(name);
      if (bone) bone.rotation.y = 0.5 * swing;
    }
    vrm.update(1 / 60);
    for (const j of manager.joints) {
      const q = j.bone.quaternion;
      if (![q.x, q.y, q.z, q.w].every(Number.isFinite)) found.finite = false;
      found.moved = Math.max(found.moved, q.angleTo(start.get(j)));
      if (i % 10 === 9) found.swung.push({ frame: i, joint: j.bone.name, turn: [q.x, q.y, q.z, q.w] });
    }
  }
  return found;
}

async function run(job) {
  warnings = [];
  canvas.width = job.width;
  canvas.height = job.height;
  renderer.setSize(job.width, job.height, false);
  const gltf = await loader.loadAsync(job.url);
  const vrm = gltf.userData.vrm;
  const model = vrm ? vrm.scene : gltf.scene;
  if (vrm) VRMUtils.rotateVRM0(vrm);
  const scene = new THREE.Scene();
  const light = new THREE.DirectionalLight(0xffffff, Math.PI);
  light.position.set(...job.light).normalize();
  scene.add(light, model);
  model.traverse((o) => { o.frustumCulled = false; });
  const { camera, height, middle } = view(model, job);
  const answer = { height, middle, width: job.width, rows: job.height };
  if (vrm) {
    for (const [name, weight] of Object.entries(job.expressions || {})) vrm.expressionManager?.setValue(name, weight);
    vrm.update(0);
  }
  answer.pixels = base64(shoot(scene, camera));
  if (vrm) {
    answer.version = vrm.meta.metaVersion;
    answer.name = vrm.meta.name || vrm.meta.title || '';
    answer.license = vrm.meta.licenseUrl || vrm.meta.licenseName || '';
    answer.bones = Object.keys(vrm.humanoid.humanBones);
    answer.lookAt = vrm.lookAt ? vrm.lookAt.applier.constructor.type : '';
    if (job.examine) answer.expressions = expressions(vrm, scene, camera);
    if (job.examine || job.swing) answer.springs = springs(vrm);
  }
  VRMUtils.deepDispose(model);
  renderer.renderLists.dispose();
  answer.warnings = warnings;
  return answer;
}

for (;;) {
  const asked = await fetch('/job');
  if (asked.status !== 200) break;
  const job = await asked.json();
  let answer;
  try {
    answer = await run(job);
  } catch (e) {
    answer = { error: String(e && e.stack || e) };
  }
  answer.id = job.id;
  await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
}
